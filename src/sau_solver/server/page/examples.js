// One example of every problem type, in both languages.

export const EXAMPLES = {
  en: [
    [
      "arithmetic",
      "There are 6 boxes with 12 pencils each. The pencils are shared equally among 9 students. How many pencils does each student get?",
    ],
    ["parts", "A jacket costs 80 dollars. It is sold at a 25% discount. What is the sale price?"],
    ["rate", "A train travels 240 miles in 4 hours. What is its average speed?"],
    ["linear", "Five more than three times a number is 26. Find the number."],
    [
      "system",
      "A theater sold 300 tickets. Adult tickets cost 8 dollars and child tickets cost 5 dollars. The total was 1950 dollars. How many adult tickets and how many child tickets were sold?",
    ],
    ["nonlinear", "A rectangle has an area of 96. Its length is 4 more than its width. Find the length and the width."],
    ["equation", "x² + 5x + 6 = 0"],
    ["expression", "25% of 80"],
  ],
  zh: [
    ["arithmetic", "学校买来5箱苹果，每箱24个，分给学生96个，还剩多少个？"],
    ["parts", "一本书有240页，小明第一天看了全书的1/4，第二天看了全书的30%，还剩多少页没看？"],
    ["rate", "甲、乙两地相距360千米，客车每小时行50千米，货车每小时行40千米，两车同时从两地相对开出，几小时后相遇？"],
    ["linear", "一个数的3倍加上5等于26，求这个数。"],
    ["system", "购买甲、乙两种笔记本共20本，甲种每本8元，乙种每本5元，共用130元，甲、乙两种笔记本各买了多少本？"],
    ["nonlinear", "某种药品原价为每盒60元，经过连续两次降价后，售价为每盒48.6元，求平均每次降价的百分率．"],
    ["equation", "解方程：3x－5＝16"],
    ["expression", "计算：25×4－30÷6"],
  ],
};

// Examples of every kind of input, for the help: [kind, texts].
export const HELP = {
  en: [
    ["problem", ["A farm has chickens and goats. There are 30 heads and 86 legs. How many goats are there?", "A shirt costs 25 dollars. How much do 3 shirts cost?"]],
    ["questions", ["A theater sold 210 tickets for 1140 dollars. Adult tickets cost 8 dollars and child tickets cost 4 dollars. How many adult tickets and how many child tickets were sold?"]],
    ["equation", ["2x+3=11", "x²+5x+6=0", "Solve 3(y - 2) = 12 for y."]],
    ["system", ["x+y=20, 2x+4y=50", "x^2+y^2=25, xy=12"]],
    ["expression", ["3+5*2", "25% of 80", "Calculate 965 / 5."]],
    ["gcd", ["Find the greatest common divisor of 24 and 36.", "Find the least common multiple of 4 and 6."]],
    ["list", []],
    ["steps", []],
    ["unsure", []],
    ["paper", []],
  ],
  zh: [
    ["problem", ["鸡兔同笼，共有15只，40条腿，兔有多少只？", "一件衬衫25元，买3件要多少元？"]],
    ["questions", ["长方形的周长是26厘米，长比宽多3厘米，长和宽各是多少厘米？"]],
    ["equation", ["解方程：3x－5＝16", "x²+5x+6=0"]],
    ["system", ["x+y=20, 2x+4y=50", "x^2+y^2=25, xy=12"]],
    ["expression", ["计算：25×4－30÷6", "3+5*2"]],
    ["gcd", ["求24和36的最大公因数。", "求4和6的最小公倍数。"]],
    ["list", []],
    ["steps", []],
    ["unsure", []],
    ["paper", []],
  ],
};
