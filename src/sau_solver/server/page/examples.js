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
  ],
  zh: [
    ["arithmetic", "学校买来5箱苹果，每箱24个，分给学生96个，还剩多少个？"],
    ["parts", "一本书有240页，小明第一天看了全书的1/4，第二天看了全书的30%，还剩多少页没看？"],
    ["rate", "甲、乙两地相距360千米，客车每小时行50千米，货车每小时行40千米，两车同时从两地相对开出，几小时后相遇？"],
    ["linear", "一个数的3倍加上5等于26，求这个数。"],
    ["system", "购买甲、乙两种笔记本共20本，甲种每本8元，乙种每本5元，共用130元，甲、乙两种笔记本各买了多少本？"],
    ["nonlinear", "某种药品原价为每盒60元，经过连续两次降价后，售价为每盒48.6元，求平均每次降价的百分率．"],
  ],
};
