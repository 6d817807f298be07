"""Chinese sentences that carry mathematics -> requests: 解方程：3x－5＝16, 求24和36的最大公因数, 当x=4时，求x²的值。"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from sau_solver.equations.expressions import Equation, Expression, Operation, Operator
from sau_solver.text.mathematics.chinese_terms import HAN, as_formula
from sau_solver.text.mathematics.request import HUNDRED, Kind, NotMathematicsError, Reader, Request, folded
from sau_solver.text.mathematics.typed import RELATION, calculations_in, without_blank

Read = Callable[[tuple[str, ...], Reader], Request]

_LEAD = re.compile(
    r"(?:请问?|你(?:能|会)?|帮我|帮忙|麻烦|试着?|问|下面|那么|则|所以|故|因此|再|先|请求|试求|求出?|求得|算出|已知)+[\s,:]*"
)
_TAIL = re.compile(
    r"(?:的(?:值|结果|得数|答案|解|近似值))?[\s,]*(?:分别|各)?(?:应该?)?(?:等于|是|为|得|有|=)?[\s,]*"
    r"(?:多少|几|什么|哪些|哪几个|\(\s*\)|_+)?(?:呢|啊)?[\s?.!]*$"
)
_TASK = re.compile(
    r"(?:请|你|帮我|一下|试|用|列|出|能|会|认真|算出|来|的)*"
    r"(?:(?P<solve>(?:求?解)(?:(?:下[面列])?(?:各题|各?(?:个)?(?:一元[一二]次|二元一次|分式|简易)?方程组?|(?:一元一次)?不等式组?|比例)|关于[A-Za-z]的方程)"
    r"|求未知数|求解)|(?P<calculate>(?:脱式|递等式|列?竖式|简便|口头|精确|混合)?(?:计算|运算)|口算|心算|笔算|简算|简便方法(?:计算|运算|算)"
    r"|怎样简便就?怎样[计]?算|算一[算下]|算算|直接写(?:出)?(?:得数|结果)|求值|写出?得数))"
    r"(?:下[面列]|各题|各式|的值|题目?|一下|出|的|结果|(?:,|并)+(?:并)?(?:检验|验算)|并?能简算的要?简算)*[\s:,.;]*"
)
_FIRST = re.compile(
    r"(?:能简算的要?简算|求下[面列]各式的值|先化简,?再求值|化简求值|化简并求值|化简后求值|下[面列]各题)[\s:,.;]*"
)
_GIVEN = re.compile(
    r"(?:求(?=.*的[解根])|已知|若|如果|假如|假设|设|当|因为|方程|其中|且|又|有|由|在|一元[一二]次方程|函数)+\s*:?"
)
_WHEN = re.compile(r"(?:的?时候?|的条件下)$")
_SOLUTION = re.compile(r"\s*的(?:解|根|值)(?:是|为|等于)?(?:多少|几|什么|\(\s*\)|_+)?$")
_NAME = re.compile(
    r"([A-Za-zα-ω](?:\s*[,和与、]\s*[A-Za-zα-ω])*)\s*(?:的值)?\s*(?:(?:分别|各)?(?:是|等于|为|=)?(?:多少|几)?)\s*$"
)
_LETTERS = re.compile(r"(?<=[求出问则])([A-Za-z])\s*,\s*([A-Za-z])(?![A-Za-z0-9(+\-*/=])")
_WANTED = re.compile(r"(?:请|试)?求(?:出|未知数)?\s*([A-Za-zα-ω])(?:的值)?\s*[:,]\s*(?=\S)")
_CLAUSE = re.compile(r"[,;?\n]+|:(?!\s*[0-9A-Za-z(])|(?<=[\u4e00-\u9fff]):|\.(?![0-9])")
_PLACES = re.compile(
    r"[\s,(]*(?:得数|结果|商|答案)?(?:用四舍五入法|四舍五入)?(?:保留(?P<count>[0-9一二两三四五六])位小数|保留(?P<whole>整数)"
    r"|(?:精确|四舍五入|保留)到(?P<place>个|十|百|千|万|十万|百万|十分|百分|千分|万分)位)(?:的近似数|的近似值|取近似值)?[\s)]*$"
)
_COUNTS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6}
_PLACE = {
    "个": 0, "十": -1, "百": -2, "千": -3, "万": -4, "十万": -5, "百万": -6, "十分": 1, "百分": 2, "千分": 3, "万分": 4,
}  # fmt: skip


def read_chinese(text: str, reader: Reader) -> Request:
    """Return what the text asks for; raise NotMathematicsError for everything else."""
    plain, places = _rounded(text.strip().rstrip(" .?!"))
    request = _command(plain, reader) or _clauses(plain, reader)
    if places is not None:
        kind: Kind = "round" if request.kind == "expression" and "(" not in text and "÷" not in text else request.kind
        request = replace(request, places=places, kind=kind)
    return reader.completed(request, "zh")


def _rounded(text: str) -> tuple[str, int | None]:
    """Return the text without 保留两位小数, and the number of decimals that it asks for."""
    shown = _TAIL.sub("", text)
    found = _PLACES.search(shown)
    if found is None:
        return text, None
    rest = re.sub(r"^(?:把|将|求)", "", shown[: found.start()].rstrip(" ,("))
    if found["count"]:
        return rest, _COUNTS.get(found["count"]) or int(found["count"])
    return rest, 0 if found["whole"] else _PLACE[found["place"]]


def _clauses(text: str, reader: Reader) -> Request:
    """Read premises, tasks and questions clause by clause."""
    asked: Request | None = None
    text = _LETTERS.sub(r"\1和\2", text)
    if (named := _WANTED.match(text)) and RELATION.search(text):
        asked = Request("equation", wanted=(named[1],))
        text = text[named.end() :]
    text = _FIRST.sub("", text, count=1) if _FIRST.match(text) else text
    if task := _TASK.match(text):
        text = text[task.end() :]
        if task["calculate"] and (several := _each(text, reader)):
            return several
    elif not HAN.search(text) and (several := _each(text, reader)):
        return several
    for part in _CLAUSE.split(text):
        clause = _WHEN.sub("", part.strip())
        if not clause:
            continue
        if given := _GIVEN.match(clause):
            clause = clause[given.end() :]
        formula = _SOLUTION.sub("", clause)
        formula = re.sub(r"[和且与](?=[^=]*=)", ";", formula)
        if RELATION.search(without_blank(_TAIL.sub("", formula))) and not HAN.search(formula):
            reader.define(formula)
            continue
        if not clause or asked is not None:
            raise NotMathematicsError
        asked = _asked(clause, reader)
    return asked or Request("equation")


def _each(text: str, reader: Reader) -> Request | None:
    """Read several calculations: 3+5= 12-4= 6×7=."""
    parts = calculations_in(text)
    if len(parts) < 2 or re.search(r"[A-Za-z]", text):
        return None
    return Request("expression", tuple(reader.expression(as_formula(part)) for part in parts))


def _asked(clause: str, reader: Reader) -> Request:
    lead = _LEAD.match(clause)
    rest = clause[lead.end() :] if lead else clause
    if (found := _NAME.match(rest)) and not re.search(r"[0-9]", rest):
        return Request("equation", wanted=tuple(re.findall(r"[A-Za-zα-ω]", found[1])))
    if command := _command(rest, reader):
        return command
    return Request("expression", (reader.expression(as_formula(_TAIL.sub("", rest))),))


# --- commands and questions with words of their own ----------------------------------------------------------------


def _terms(text: str, reader: Reader) -> tuple[Expression, ...]:
    found = reader.items(re.sub(r"^\((.*)\)$", r"\1", text.strip()) if "," in text else as_formula_of_list(text))
    if not found:
        raise NotMathematicsError
    return found


def as_formula_of_list(text: str) -> str:
    """Return a list with each item as a formula."""
    return ",".join(as_formula(part) for part in re.split(r"[,、和与跟]", text))


def _term(text: str, reader: Reader) -> Expression:
    return reader.expression(as_formula(text))


def _listed(kind: Kind, option: str = "", least: int = 2) -> Read:
    def read(groups: tuple[str, ...], reader: Reader) -> Request:
        terms = _terms(groups[0], reader)
        if len(terms) < least:
            raise NotMathematicsError
        return Request(kind, terms, option=option)

    return read


def _each_term(kind: Kind, option: str = "") -> Read:
    return lambda groups, reader: Request(kind, tuple(_term(group, reader) for group in groups), option=option)


def _reversed(kind: Kind) -> Read:
    return lambda groups, reader: Request(kind, tuple(_term(group, reader) for group in reversed(groups)))


_OPERATORS: dict[str, Operator] = {"和": "+", "差": "-", "积": "*", "商": "/"}


def _folded(groups: tuple[str, ...], reader: Reader) -> Request:
    return folded(_OPERATORS[groups[1]], _terms(groups[0], reader))


def _operated(operator: Operator) -> Read:
    def read(groups: tuple[str, ...], reader: Reader) -> Request:
        return Request("expression", (Operation(operator, _term(groups[0], reader), _term(groups[1], reader)),))

    return read


def _share(groups: tuple[str, ...], reader: Reader) -> Request:
    part, base = (_term(group, reader) for group in groups[:2])
    share = Operation("/", part, base)
    if groups[2] == "几分之几":
        return Request("expression", (share,))
    return Request("expression", (Operation("*", share, HUNDRED),), option="percent")


def _written_as(groups: tuple[str, ...], reader: Reader) -> Request:
    """Read 3/8化成百分数."""
    term = _term(groups[0], reader)
    if groups[1] == "百分数":
        return Request("expression", (Operation("*", term, HUNDRED),), option="percent")
    return Request("expression", (term,), option="decimal" if groups[1] == "小数" else "fraction")


def _whole(groups: tuple[str, ...], reader: Reader) -> Request:
    """Read 一个数的40%加上2是20，求这个数 as x*40%+2=20."""
    found = _SHARED.fullmatch(as_formula(groups[0]))
    if found is None:
        raise NotMathematicsError
    left = reader.expression(f"x*({found[1]}){found[2]}")
    reader.equations.append(Equation(left, _term(groups[1], reader)))
    return Request("equation", wanted=("x",))


def _digit(groups: tuple[str, ...], reader: Reader) -> Request:
    return Request("digit", (_term(groups[0], reader),), option=str(-_PLACE[groups[1]]))


_SHARED = re.compile(r"(\(?[0-9.]+(?:/[0-9.]+)?\)?%?)((?:[-+*/].*)?)")
_BE = r"(?:分别|各)?(?:是|等于|为|得|有|=)?(?:多少|几|什么|哪些|哪几个|\(\s*\)|_+)?"
_TABLE: tuple[tuple[str, Read], ...] = (
    (rf"(.+?)的最大公[约因]数[和与,]最小公倍数{_BE}", _listed("gcd_lcm")),
    (rf"(.+?)的最大公[约因]数{_BE}", _listed("gcd")),
    (rf"(.+?)的最小公倍数{_BE}", _listed("lcm")),
    (rf"(.+?)(?:除以|/)(.+?)(?:的|,)?商[和与,]余数{_BE}", _each_term("division")),
    (r"(.+?)/([^=]+)=\s*(?:\(\s*\))?\s*(?:…+|\.{3,})\s*(?:\(\s*\))?", _each_term("division")),
    (rf"(.+?)(?:除以|/)(.+?)的?余数{_BE}", _each_term("remainder")),
    (rf"(.+?)除以(.+?)的商{_BE}", _operated("/")),
    (rf"(.+?)减去?(.+?)的差{_BE}", _operated("-")),
    (rf"(.+?)乘以?(.+?)的积{_BE}", _operated("*")),
    (rf"(.+?)加上?(.+?)的和{_BE}", _operated("+")),
    (rf"(.+?)的([和差积商]){_BE}", _folded),
    (rf"(.+?)的平均[数值]{_BE}", _listed("average")),
    (r"(.+?)(?:是|占|相当于)(.+?)的(百分之几|几分之几|百分之多少)", _share),
    (rf"一个数的(.+?)(?:是|等于)(.+?),\s*(?:求出?|那么|则|问)?(?:这个|该)数{_BE}", _whole),
    (r"(?:分解质因数)[:\s]*(.+)", _each_term("factorization")),
    (r"(.+?)分解质因数", _each_term("factorization")),
    (rf"(.+?)的(?:所有|全部)?的?质因数{_BE}", _each_term("prime_factors")),
    (r"(.+?)的(?:所有|全部)?的?[因约]数(?:一?共)?(?:有多少个?|有几个|的?个数)", _each_term("factors", "count")),
    (r"(.+?)的(?:所有|全部)?的?[因约]数(?:是|有|是哪些|有哪些|有哪几个|是哪几个)?", _each_term("factors")),
    (r"(?:判断)?(.+?)是(?:质数|素数)还是合数", _each_term("prime", "which")),
    (r"(?:判断)?(.+?)(?:是不是|是|是否是|是否为)(?:质数|素数)(?:吗)?", _each_term("prime", "prime")),
    (r"(?:判断)?(.+?)(?:是不是|是|是否是|是否为)合数(?:吗)?", _each_term("prime", "composite")),
    (r"(.+?)(?:能被|是否能被|能不能被)(.+?)整除吗?", _each_term("divisible")),
    (r"(.+?)是(.+?)的倍数吗", _each_term("divisible")),
    (r"(.+?)是(.+?)的[因约]数吗", _reversed("divisible")),
    (r"(.+?)[,和与跟](.+?),?(?:哪个|谁|哪个数|哪一个)(?:更|比较|数)?大", _each_term("larger")),
    (r"(.+?)[,和与跟](.+?),?(?:哪个|谁|哪个数|哪一个)(?:更|比较|数)?小", _each_term("smaller")),
    (r"(?:比较大小)[:\s]*(.+?)\s*(?:[和与,○◯]|\(\s*\)|_+)\s*(.+)", _each_term("relation")),
    (r"比较(.+?)[和与,](.+?)的大小", _each_term("relation")),
    (r"(.+?)大于(.+?)吗", _each_term("compare", ">")),
    (r"(.+?)小于(.+?)吗", _each_term("compare", "<")),
    (r"(.+?)等于(.+?)吗", _each_term("compare", "=")),
    (r"(.+?),?(?:按照?)?从小到大的?(?:顺序)?排[列序](?:起来)?", _listed("ascending")),
    (r"(.+?),?(?:按照?)?从大到小的?(?:顺序)?排[列序](?:起来)?", _listed("descending")),
    (r"(?:按照?)?从小到大的?(?:顺序)?排[列序][:\s]*(.+)", _listed("ascending")),
    (r"(?:按照?)?从大到小的?(?:顺序)?排[列序][:\s]*(.+)", _listed("descending")),
    (r"(.+?)的?(个|十|百|千|万|十分|百分|千分)位上?的?(?:数字|数)?(?:是|为)?(?:几|多少)?", _digit),
    (rf"(.+?)的平方根{_BE}", _each_term("roots")),
    (r"(?:因式分解|分解因式)[:\s]*(.+)", _each_term("factor")),
    (r"(.+?)(?:进行)?(?:因式分解|分解因式)", _each_term("factor")),
    (r"(?:展开|去括号|打开括号)(?:并化简)?[:\s]*(.+)", _each_term("expand")),
    (r"(.+?)(?:展开|去括号)", _each_term("expand")),
    (r"(?:化简比|求比值)[:\s]*(.+?):(.+)", _each_term("ratio")),
    (r"(.+?):(.+?)(?:化简|化[成为]最简(?:单的?)?(?:整数)?比)", _each_term("ratio")),
    (r"(.+?)(?:化|改写|写)[成为](百分数|小数|分数)", _written_as),
    (r"(?:合并同类项)[:\s]*(.+)", _each_term("simplify")),
    (r"(?:化简(?:下[面列]各式|分数|下列式子)?|约分)[:\s]*(.+)", _each_term("expression", "simplify")),
    (r"(.+?)(?:约分|化简|化成最简分数)", _each_term("expression", "simplify")),
)  # fmt: skip
_COMMANDS = tuple((re.compile(pattern), read) for pattern, read in _TABLE)
_OBJECT = re.compile(r"(?:请你?|试|帮我)*(?:求出?|把|将|计算|算出|写出)?\s*")


def _command(text: str, reader: Reader) -> Request | None:
    """Return the request of a command or question that the table knows, otherwise None."""
    found_object = _OBJECT.match(text)
    plain = text[found_object.end() :] if found_object else text
    for pattern, read in _COMMANDS:
        if found := pattern.fullmatch(plain.rstrip(" ?.")):
            return read(found.groups(), reader)
    return None
