"""The sentences of steps about the digits of a number by code, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping

DIGITS: Mapping[str, tuple[str, str]] = {
    "digits_let_2": (
        "Let x be the tens digit and y the ones digit. The number is {number}.",
        "设十位数字是 x，个位数字是 y，这个两位数就是 {number}。",
    ),
    "digits_let_3": (
        "Let x be the hundreds digit, y the tens digit and z the ones digit. The number is {number}.",
        "设百位数字是 x，十位数字是 y，个位数字是 z，这个三位数就是 {number}。",
    ),
    "digits_let_4": (
        "Let a, b, c and d be the digits of the thousands, hundreds, tens and ones. The number is {number}.",
        "设千位、百位、十位、个位数字依次是 a、b、c、d，这个四位数就是 {number}。",
    ),
    "digits_turned": ("When digits change places, the new number is {number}.", "数字交换位置后，新数是 {number}。"),
    "digits_so": ("So the number is {number}.", "所以这个数是 {number}。"),
    "digits_new": ("The new number is {number}.", "新数是 {number}。"),
    "digits_odd": ("{number} is odd", "{number} 是奇数"),
    "digits_even": ("{number} is even", "{number} 是偶数"),
    "digits_divisible": ("{number} is divisible by {divisor}", "{number} 能被 {divisor} 整除"),
    "digits_remainder": (
        "{number} divided by {divisor} leaves {rest}",
        "{number} 除以 {divisor} 余 {rest}",
    ),
    "digits_first": ("{said}: this leaves {numbers}.", "满足 {said} 的数有：{numbers}。"),
    "digits_of_these": ("{said}: of these, this leaves {numbers}.", "其中满足 {said} 的有：{numbers}。"),
    "digits_all": ("The numbers are {numbers}.", "这些数是：{numbers}。"),
    "digits_count": ("There are {count} of them.", "一共有 {count} 个。"),
    "digits_count_said": ("{said}: this leaves {count} numbers.", "满足 {said} 的数有 {count} 个。"),
    "digits_choices": (
        "There are {first} choices for the first digit, which is not 0, and then {rest}.",
        "首位不能是 0，有 {first} 种选法，后面各位依次有 {rest} 种选法。",
    ),
    "digits_choices_for_next": ("{choices} for the next", "{choices}"),
    "digits_largest_of": (
        "For the largest number, write the largest digits first: {number}.",
        "要使数最大，把大的数字从高位起依次排列：{number}。",
    ),
    "digits_smallest_of": (
        "For the smallest number, write the smallest digits first, but not 0 in front: {number}.",
        "要使数最小，把小的数字从高位起依次排列，首位不能是 0：{number}。",
    ),
    "digits_largest": ("The largest of them is {number}.", "其中最大的是 {number}。"),
    "digits_smallest": ("The smallest of them is {number}.", "其中最小的是 {number}。"),
}
