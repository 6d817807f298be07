"""Chinese questions -> the things they ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sau_solver.text.asking.measures import chinese_unit
from sau_solver.text.asking.mentions import words_of
from sau_solver.text.asking.no_quantity import ORDER_OF_NO_QUANTITY
from sau_solver.text.asking.really_asked import asked_in_chinese, opens_story
from sau_solver.text.asking.thing import RatioAsked, Relation, Rounding, Thing
from sau_solver.text.questions import ZH_SENTENCE, Question, questions_of
from sau_solver.text.units import measured_by, unit_in_question

_GCD = re.compile(r"最大公[约因]数|最大公因子")
_LCM = re.compile(r"最小公倍数")
_DIFFERENCE = re.compile(
    r"(?:比.+?|相|(?!大小|长短|高矮|快慢|早晚)[贵便重轻长短高矮快慢早晚大小])(?:多|少|大|小|长|短|高|矮|低|重|轻|贵|便宜|快|慢|早|晚|差|远|近)\w{0,4}$|相差|[要可能][多少][付用花交]了?$|[的之]差$|差(?:是|为)?$|[便]宜了?$|超[过出][^，比每\d]{1,12}$|[多高贵长大重快][出][^，多少几]{0,8}$|领先[^，]{0,6}$|年长$|[^不]省了?$|节省$|减乙?数?等于$"
)
_SUM = re.compile(
    r"相加(?:[得是为会]|$)|一共|总计|一套|合作[一1每][天小]|合起来|加起来|加在一起|总共|共[^同]|合计|[的之]和(?:是|为)?$|总和|总[数价]"
)
_LARGER = re.compile(
    r"最[长高重快贵厚宽多]的|老大|(?<![^，的])[长大高重粗]的[那一][一]?[段根条块个]|[较更]大的?|大数|最大的(?!公)|较[长高重快多]|[较更]贵|号码大的|[长大]的那条边"
)
_SMALLER = re.compile(
    r"最[短矮轻慢薄窄低少]的|(?<![^，的])[短小矮轻细]的[那一][一]?[段根条块个]|较小的?|小数(?!点)|最小的(?!公)|较[短低轻慢少矮]|号码小的|[短小]的那条边"
)
_EVERY = re.compile(r"各|分别|依次|每[种类]各|[和与、]\w{1,6}每[个支本件张只瓶盒千辆]")
_PLURAL = re.compile(
    r"(?:[2两二三3]\s*(?:[种个家数名根款类辆位列车]|人的)|每[种类款]\w{1,6}的|甲乙|母子的?|父子的?|母女的?|父女的?|它们的|他们的|[A甲][，、,]\s*[B乙]).{0,10}"
    r"(?:单价|价格|售价|速度|年龄|长度|效率|棵数|数量|数(?:[是为]|$|。)|弹珠数|的值)|这[2两二]个?数$"
    r"|[2两二]条?(?:直角|对角|邻)?[边线]的?长度?$"
)
_ONE_OF_SEVERAL = re.compile(r"一共|总共|[的之][和差积]|相[距差遇]|距离|之间|比是|几倍|合作|一起")
_UP = re.compile(r"至少|最少|起码|需要?(?:租|用|要|安排|准备|装|分|买|几|多少|\w{0,3}$)|应该?要?(?:租|准备)")
_DOWN = re.compile(r"最多|至多|能|可以?(?!以)|够")
_LEFT = re.compile(r"剩(?!下的?[^人有]*[能可])|余(?!额|下的平均)|多出|还多|留下|零散")
_TIME = re.compile(r"小?时|分钟|秒|天")
_WHOLE = re.compile(r"个?(?:完整|整)")
_UNTIL_READ = re.compile(r"天[^，。看读]{0,5}[看读]完")
_NONE_CLAUSE = re.compile(
    r"为什么|为何|什么(?:建议|发现|想法|规律|道理|问题)|说[说明]|理由|证明|求证|画[出一]|谈谈|你(?:会|愿意|打算|认为|觉得|想|还能)(?!.*[多几])|怎[么样](?!.*[多几])|哪[种个一家](?!.*[多几])|提出|谁|能否|是否|够吗|对吗|行吗|[够能]不[够能]"
)
_AREA = re.compile(r"面积")
_PERIMETER = re.compile(r"周长")
_LETTERS = re.compile(r"([a-z])[，,、和与]([a-z])(?![a-z])")
_JOINED = re.compile(r"[、和及跟]|(?<!参)与|以及")
_LEAD = re.compile(
    r"^(?:[(（]\s*[\d一二三]\s*[)）]|[①②③④⑴⑵⑶⑷]|\d[.、．](?!\d)|那么?|则|而|并且?|所以|请?问|试问|[请试]?求出?|请你?|算一算|想一想|其中|已知|现在|原来|照这样(?:的速度)?|\s)+"
)
_TAIL = re.compile(r"(?:应?该?定?[是为有]|等于|各?[是为有]|一?共[有是]?|需要?|要|花了?|用了?|分别|各|依次|[=＝]|了)+$")
_MEASURED_ONLY = re.compile(
    r"千?米|厘米|分米|毫米|公里|千?克|公斤|斤|吨|升|毫升|元|角|小时|分钟|秒|公顷|亩|平方|立方|岁|倍|度|分$|时$|时间|[年月周天]$|%|折|[a-zA-Z万亿]|圈"
)

_AS_BEFORE = re.compile(r"([^，。多几吗]{1,15})呢[？?]")
_SOME = re.compile(
    r"^几(?:个人?|包|位|名|[人箱堆])[^？]{0,6}(?:叠|合|共同|一起)|最后几|这几|又[^，]{1,2}了几[^，]{1,2}$"
)
_ASKED_BEFORE = re.compile(r"[多几][^，]*吗$|算[得出一下来]*吗$|知道吗$")
MAX_THINGS = 30
MAX_LEFT = 12  # characters before 多少 in which 还剩 is looked for
_RATIO_OF = re.compile(r"^(?P<first>.+?)(?:是|占|相当于|为|等于)了?(?P<second>[^，]+?)的?(?:百分之)?$")
_RATIO_AND = re.compile(
    r"^(?P<first>.+?)[与和跟、及](?P<second>.+?)(?:的|之|[两二]\w)(?:\w{0,4}的)?\w{0,3}?(?<!百分)比(?:值|例)?(?:是|为|等于|应该?是)?$"
)
_CONTENT = re.compile(r"含(?P<what>盐|糖|酒精|药|蜜|铜|银|金)[率量]?.{0,3}$")
_RATIO_LEAD = re.compile(r"^(?:[(（]\s*[\d一二三]\s*[)）]|[①②③④]|那么?|则|请?问|[请试]?求出?|这时|此时|现在|\s)+")
ALL = "全部"


def chinese_things(text: str) -> tuple[Thing, ...]:
    """Return the things that a Chinese text asks for, in order."""
    for pattern, relation in ((_GCD, "gcd"), (_LCM, "lcm")):
        if pattern.search(text):
            return (_named(text, "gcd" if relation == "gcd" else "lcm"),)
    questions = questions_of(text, "zh").found
    questions = asked_in_chinese(questions, text)
    found = [
        (question.place, thing)
        for question in questions
        for thing in _things(question, text)
        if thing.relation != "none" or not _opens(question, text)
    ]
    if all(thing.relation == "none" for _, thing in found):
        return ()
    places = {place for place, _ in found}
    for sentence in ZH_SENTENCE.finditer(text):
        if sentence.start() not in places and len(found) < MAX_THINGS and ORDER_OF_NO_QUANTITY.match(sentence[0]):
            words = _LEAD.sub("", sentence[0]).rstrip("。？！")
            found.append((sentence.start(), Thing(sentence[0].strip(), words[:40], relation="none")))
    for sentence in ZH_SENTENCE.finditer(text):  # 5台抽多少吨？8台呢？
        before = [thing for place, thing in found if place < sentence.start() and thing.relation != "none"]
        if before and (same := _AS_BEFORE.fullmatch(sentence[0].strip())):
            again = replace(before[-1], question=sentence[0].strip(), quantity=same[1], words=same[1])
            found.append((sentence.start(), again))
    return tuple(thing for _, thing in sorted(found, key=lambda one: one[0]))


def _opens(question: Question, text: str) -> bool:
    sentence = ZH_SENTENCE.match(text, question.place)
    return sentence is not None and len(questions_of(text, "zh").found) > 1 and opens_story(text, sentence)


def _named(text: str, relation: Relation) -> Thing:
    questions = questions_of(text, "zh").found
    last = questions[-1] if questions else Question("求", "", text, "", False)
    unit = unit_in_question(last, text, "zh")
    return Thing(last.quoted, _quantity(last), unit, relation, words=last.before + last.after)


def _things(question: Question, text: str) -> Iterator[Thing]:
    whole = question.before + question.word + question.after
    if question.word == "求" and question.after.endswith("时"):  # 求两车相遇时，…
        return
    if (question.word == "几" and _SOME.search(whole)) or (question.word == "吗" and _ASKED_BEFORE.search(whole)):
        return
    if _NONE_CLAUSE.search(whole) or question.word in ("什么", "谁", "怎", "吗", "哪"):
        if question.word == "什么" and re.search(r"数$|值$|时[候间]?$", question.after):
            pass
        else:
            yield Thing(question.quoted, _LEAD.sub("", whole)[:40], relation="none")
            return
    if repeats(question):
        return
    if (ratio := ratio_asked(question)) is not None:
        unit = "倍" if ratio.times else "%" if ratio.percent else ""
        thing = Thing(question.quoted, _quantity(question), unit, "ratio", words=ratio.first, other=ratio.second)
        yield replace(thing, part=ratio.part, times=ratio.times)
        return
    lead = _lead_clause(question, text)
    relation = _relation(question, whole)
    if relation == "value":
        relation = _relation_of_lead(lead, question)
    unit = _unit(question, whole, text, relation)
    thing = Thing(
        question.quoted,
        "",
        unit,
        relation,
        words=(lead if relation in ("sum", "product") else "")
        + _LEAD.sub("", question.before + _without_measure(question)),
        rounding=_rounding(question, unit),
        counted=_is_counted(question, unit),
    )
    match relation:
        case "difference" | "ratio":
            first, second = _pair(_LEAD.sub("", question.before), relation)
            yield replace(thing, quantity=_quantity(question), words=first, other=second)
        case "every":
            parts = _parts(question)
            if parts:
                for part in parts:
                    counted = re.search(r"的(?P<unit>[^的总])数$", part)  # 5元的张数
                    own = counted["unit"] if counted else chinese_unit(part, text) or unit
                    own = unit if measured_by(question) else own
                    yield replace(thing, relation="value", quantity=part, words=part, unit=own)
            else:
                count = re.search(r"([两二三四五])个?", question.before)
                yield replace(thing, count={"两": 2, "二": 2, "三": 3, "四": 4, "五": 5}[count[1]] if count else 0)
        case _:
            yield replace(thing, quantity=_quantity(question), count=len(_listed_things(question)))


def _lead_clause(question: Question, text: str) -> str:
    """Return the clause before a question in the same sentence: 把两个号码相加，得多少."""
    place = text.find(question.before + question.word, question.place)
    if place < 1 or text[place - 1] not in "，,":
        return ""
    return re.split(r"[，,。；？！：“]", text[question.place : place - 1])[-1]


def _relation_of_lead(lead: str, question: Question) -> Relation:
    if re.fullmatch(r"(?:[他她]?会)?得到?|结果是?|[共和合]?[是为有]?", question.before):
        if re.search(r"相加$|加起来$|加在一起$|接起来$|合起来$", lead):
            return "sum"
        if re.search(r"相乘$|去乘[^，]{1,8}$", lead):
            return "product"
    if re.search(r"(?:[两二]|合)[^，]{0,4}(?:加起来|合起来|加在一起)$", lead):
        return "sum"
    if named := re.search(r"最(?P<size>[大小])的那?.{1,3}$", lead):
        return "larger" if named["size"] == "大" else "smaller"
    return "value"


def _without_measure(question: Question) -> str:
    """Return the words after 多少 without the measure word, which all things of the text may share."""
    measure = measured_by(question)
    return question.after[measure.end() :] if measure else question.after


def _relation(question: Question, whole: str) -> Relation:
    before = _TAIL.sub("", question.before) if not _DIFFERENCE.search(question.before) else question.before
    if question.after.startswith("倍") or question.word in ("几分之几",) or re.search(r"之比|的比[是为]?$", before):
        return "ratio"
    per_cent = question.word == "百分之几" or re.search(r"百分之$", question.before)
    if per_cent and re.search(r"(?:是|占|相当于)[^，]*的(?:百分之)?$", question.before):
        return "ratio"
    if _DIFFERENCE.search(before) or (question.word == "求" and re.search(r"[的之]差$", question.after)):
        return "difference"
    if question.word == "求" and re.search(r"[的之]和$", question.after):
        return "sum"
    if re.search(r"[几多]\w{0,4}$", question.after) is None and _EVERY.search(whole):
        return "every"
    if question.word == "求" and question.several:
        return "every"
    if _EVERY.search(whole):
        return "every"
    larger, smaller = bool(_LARGER.search(whole)), bool(_SMALLER.search(whole))
    if larger != smaller:
        return "larger" if larger else "smaller"
    if _PLURAL.search(whole) and not re.search(r"[两二2三3]位数", whole) and not _ONE_OF_SEVERAL.search(whole):
        return "every"
    if _AREA.search(whole):
        return "area"
    if _PERIMETER.search(whole):
        return "perimeter"
    if _SUM.search(question.before) or (question.word == "求" and re.search(r"之?和$", question.after)):
        return "sum"
    return "value"


def _rounding(question: Question, unit: str) -> Rounding:
    before = question.before
    if question.word not in ("多少", "几"):
        return ""
    limited = None if re.search(r"[剩余]下?$", before) else re.search(r"至少|最少|起码|最多|至多", before)
    if (
        not limited
        and _LEFT.search(before[-MAX_LEFT:])
        and not re.search(r"百分之$|每|平均|占", before[-MAX_LEFT:])
        and not (_TIME.search(unit) and "剩下的" in before)  # 剩下的路程还要行几小时
    ):
        return "remainder"
    if _WHOLE.match(question.after):
        return "up" if limited and limited[0] not in ("最多", "至多") else "down"
    if unit == "天" and (_UNTIL_READ.match(question.after) or before.endswith("第")):
        return "up"
    if not _is_counted(question, unit) and not (limited and re.search(r"[月天周年]$", unit)):
        return ""
    if limited:
        return "down" if limited[0] in ("最多", "至多") else "up"
    if _UP.search(before):
        return "up"
    return "down" if _DOWN.search(before) else ""


def _is_counted(question: Question, unit: str) -> bool:
    """Return whether the answer must be a whole number: 几辆, not 几米."""
    counts = question.word in ("多少", "几") and bool(unit or re.match(r"[\u4e00-\u9fff]", question.after))
    return counts and not _MEASURED_ONLY.search(unit or question.after[:2])


def _pair(before: str, relation: Relation) -> tuple[str, str]:
    """Return the two things of 甲比乙多, 甲是乙的(几倍), 甲与乙的比."""
    for mark in (r"比", r"是|相当于|占|等于", r"[和与跟、及]"):
        found = re.search(mark, before)
        if found and found.start() > 0:
            return before[: found.start()], before[found.end() :]
    return before, ""


def _parts(question: Question) -> list[str]:
    """Return the things that a question lists: 甲、乙两队每天费用各为多少, 求鲜花和礼盒的单价."""
    listed = question.after if question.word == "求" else question.before
    listed = re.split(r"各|分别|依次", _LEAD.sub("", listed))[0]
    parts = [part for part in _JOINED.split(listed) if part]
    if re.search(r"距离|之间|间的|相距|相遇|路程", listed):  # A、B两城间的距离 is one thing
        return []
    if len(parts) < 2 or not all(words_of(part, "zh") for part in parts):
        return []
    tail = ""
    if question.word == "求" and (shared := re.search(r"的[^的]+$", parts[-1])):  # 鲜花和礼盒的单价
        tail = shared[0] if not re.search(r"的[^的]+$", parts[0]) else ""
    last = re.split(r"[两二三四]\s*[个种队人数位只家类]", parts[-1])[0] or parts[-1]
    lead = re.search(r"^.+的(?=[^的]+$)", parts[0])  # 长方形的长、宽
    first = parts[0][lead.end() :] if lead and len(parts[0]) - lead.end() <= 4 else parts[0]
    return [first + tail, *(part + tail for part in parts[1:-1]), last]


def _listed_things(question: Question) -> list[str]:
    """Return the things that a question lists without 各: 马和牛的价钱是多少, 求x，y的值, 有多少椅子和凳子."""
    if letters := _LETTERS.match(question.after if question.word == "求" else question.before):
        return list(letters.groups())
    measure = measured_by(question)
    after = question.after[measure.end() :] if measure else question.after
    if question.word != "求" and len(parts := [part for part in _JOINED.split(after) if part]) == 2:
        return parts if all(words_of(part, "zh") for part in parts) else []
    return _parts(question)


def _unit(question: Question, whole: str, text: str, relation: Relation) -> str:
    if question.word == "几分之几":
        return ""
    if question.word == "百分之几" or re.search(r"百分之(?:几|多少)|多少[%％]", whole):
        return "%"
    if relation == "ratio":
        return "倍" if question.after.startswith("倍") else ""
    stated = unit_in_question(question, text, "zh")
    if stated:
        return stated
    if measured_by(question) is None:
        return chinese_unit(whole, text)
    return ""


def _quantity(question: Question) -> str:
    """Return what a question asks for as a noun: 兔子有几只 gives 兔子, 最多能买几盒酸奶 gives 酸奶."""
    if question.word == "求":
        return re.sub(r"(?:是多少|的值|各?是|为)$", "", question.after)
    measure = measured_by(question)
    rest = question.after[measure.end() :].strip("呢？? 。") if measure else ""
    if rest and re.fullmatch(r"[\u4e00-\u9fff]{1,6}", rest) and not re.match(r"[后才能可就以]", rest):
        return rest
    before = _LEAD.sub("", question.before)
    return _TAIL.sub("", before)[-20:]


def ratio_asked(question: Question) -> RatioAsked | None:
    """Return what a question compares by division, or None if it does not.

    甲是乙的几倍, 甲占总数的百分之几, 甲与乙的个数比.
    """
    before = _RATIO_LEAD.sub("", question.before)
    if question.word == "几" and question.after.startswith("倍") and (found := _RATIO_OF.match(before)):
        return RatioAsked(found["first"], found["second"], times=True)
    if question.word == "多少" and question.after.startswith("倍") and (found := _RATIO_OF.match(before)):
        return RatioAsked(found["first"], found["second"], times=True)
    percent = question.word == "百分之几" or (question.word in ("多少", "几") and before.endswith("百分之"))
    percent = percent or (question.word == "多少" and question.after[:1] in ("%", "％"))
    if (question.word == "几分之几" or percent) and (found := _RATIO_OF.match(before)):
        return RatioAsked(found["first"], found["second"], part=True, percent=percent)
    listed = _RATIO_LEAD.sub("", question.after) if question.word == "求" else before
    if (question.word in ("求", "多少", "=") or question.after.startswith("比")) and (
        found := _RATIO_AND.match(listed)
    ):
        return RatioAsked(found["first"], found["second"])
    if (
        question.word in ("求", "多少")
        and (found := _CONTENT.search(re.sub(r"[是为]$", "", listed)))
        and "率" in found[0]
    ):
        return RatioAsked(found["what"], ALL, part=True, percent=True)
    return None


def repeats(question: Question) -> bool:
    """Return whether a question word is the second one of 几比几."""
    return question.word == "几" and question.before.endswith("几比")
