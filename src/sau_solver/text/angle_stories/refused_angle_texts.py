"""Words of other problems, and words that change a calculation in a way that no rule about angles knows."""

from __future__ import annotations

_ENGLISH = (
    # Lengths, areas, money and other measures
    r"cm|mm|km|m|ft|in\.|inch(?:es)?|feet|foot|yards?|miles?|knots?|(?:centi|milli|kilo|deci)?met(?:er|re)s?|areas?",
    r"perimeters?|circumferences?|volumes?|lengths?|long|width|height|distance|far|tall|high(?:er)?|deep"
    r"|speed|per|every",
    r"legs?|edges?|hypotenuse|altitudes?|costs?|price|dollars?|cents|kilograms?|rooms?|years?|water|scales?",
    r"temperatures?|celsius|fahrenheit|warm\w*|cold\w*|heat\w*|oven|weather",
    # Other geometry
    r"radius|radii|diameters?|arcs?|chords?|tangents?|inscribed|circumscribed|medians?|diagonals?"
    r"|mid-?points?|squares?",
    (
        r"rectang\w+|cub\w+|sphere|cone|sine?|cosine?|cos|tan|slope|congruent|similar|perpendicular|cyclic"
        r"|reflex|radians?"
    ),
    r"semi-?circles?|quadrants?|bisectors?|trisect\w*|incent\w+|circumcent\w+|orthocent\w+|elevation"
    r"|depression|shadow",
    (
        r"latitude|longitude|north\w*|south\w*|east|west|bearing|compass|figure|diagram|shown|shows? that"
        r"|picture|drawing"
    ),
    r"(?<!circle )(?<!pie )graph|leaning (?:tower|tree|wall|pole)|tilt\w*|crooked|inside|outside|drawn?"
    r"|extend(?:s|ed)?|produced",
    # Changes
    r"fold\w*|reflect\w*|increas\w*|decreas\w*|add(?:s|ed|ing)?(?! up to)|subtract\w*|enlarg\w*|reduc\w*"
    r"|magnif\w*|remov\w*",
    (
        r"turns? (?:left|right)|eats?|ate|eaten|left over|are left|is left|still|already|again|change[ds]?"
        r"|instead|originally|later"
    ),
    # Other questions
    r"how many (?:times|angles|triangles|more|slices|pieces|people|students|diagonals|equal)|probability"
    r"|kinds?|types?|sorts?",
    (
        r"classify|averages?|mean|products?|why|true|false|prove|prime|digits?|integers?|even|odd|consecutive"
        r"|multiple|numbers? is"
    ),
    r"at least|at most|possible|range|exactly|approximately|about|estimate|nearest|round(?:ed)? to|decimal"
    r"|greater than \d",
    # Words that turn a statement around
    r"not|never|no|only|nor|neither|(?<=\w)n['’]t|else|everyone|everybody|all but|except|both ways",
    r"less than \d+ ?(?:degrees|°)? ?[.?]|between \d+ and \d+ o",
)
ENGLISH_REFUSED = (
    r"[$€£+<>√^²]|\d\s*[-−*×]\s*\d|\b[2-9x-z][x-z]\b|\b[x-z]\b|\d+[a-z]\b|=\s*[a-z]\b|AB\s*=|\b(?:"
    + "|".join(_ENGLISH)
    + r")\b"
)

_CHINESE = (
    # Lengths, areas, money and other measures
    r"厘米|分米|毫米|千米|公里|\d+\s*米|\d\s*(?:cm|m|dm|mm|km)\b|多少米|面积|周长|体积|边长|高是|多高|多长"
    r"|长度|速度|路程|平方|元|钱",
    (
        r"腰长|腰是|斜边|直角边|条边(?<!几条边)(?<!\d条边)(?<!少条边)|第[三3]边|[第另]\w{0,2}条边"
        r"|[第另]\w{0,2}个数|高(?!度|架|高)|盏"
    ),
    r"气温|温度|室温|体温|加热|用电|电费|度电|酒|每秒|每分钟|每小时|每天|平均数|平均分(?=是|为|[0-9])",
    # Other geometry
    r"中线|平分线|垂直|垂线|垂足|中点|延长|连[接结]|交于|对角线|轴对称|对称轴|内接|外接|切线|弦|圆周角"
    r"|中心角|优角|半径|直径|弧|凹",
    (
        r"正方形|长方形|矩形|圆柱|圆锥|正方体|长方体|纬|东经|经度|仰角|俯角|影[子长]|偏[东西南北]|[东南西北]偏"
        r"|方向|三角[尺板]|量角器"
    ),
    r"如图|(?<!统计)图中|图形中|∠[A-Z]{2,}|[A-Z]{2}[平∥⊥=]|[⊥∥≌∽]|重合|不等边",
    # Changes
    r"折|拼|重叠|放大|缩小|剪|撕|截去|砍|切去|平移|增加|减少|升高|降低|下降|上升|打开|现在|原来|后来|又|再"
    r"|继续|往[左右]|向[左右]",
    (
        r"[顺逆]时针|时针[快慢]了?\d|[慢快]\d|吃|剩下?(?:几|多少|的?占)|还剩|还有(?!1个角)|余下.*余下|错看"
        r"|看成|漏|[少多][算加]|误"
    ),
    # Other questions
    r"什么|哪|如何|怎|概率|可能性|几[个种类时点]|多少[个种名人元块米]|[^多]少多少|大多少|小多少|多多少"
    r"|差多少|几倍|多少倍|多少条(?!边)|几条(?!边)",
    (
        r"(?<!百)几分之|(?<!百)分之几|是不是|对不对|[吗呢]|判断|说明|证明|至少|最多|任意|约|近似|保留|总和"
        r"|三个角的和|之差|的差|的积"
    ),
    # Words that turn a statement around
    r"不(?!相邻)|[非未无](?!知)|没|除[了去以]|以外|之外|(?<!相)差\d|\d刻|如果.*如果",
    # Lists of named angles to find: the rules find the last one alone
    r"(?:∠[A-Z]、?(?:和|与|，)?){2,}(?:各|分别)",
    # Unknowns
    r"求[xyz]|(?<!∠)[a-zA-Z]\s*=|(?<![∠A-Za-z△形])[x-z](?![A-Za-z])|\d[xyzn]\b",
)
CHINESE_REFUSED = r"[<>$√^²]|\d\s*[-−*×]\s*\d|" + "|".join(_CHINESE)
