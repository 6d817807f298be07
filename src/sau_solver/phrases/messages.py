"""The sentences around a solution by code, in English and Chinese: refusals, reasons, labels and worksheets."""

from __future__ import annotations

from collections.abc import Mapping

# --- texts that are refused, and problems without an answer ----------------------------------------------------------

_PROBLEMS = {
    "empty": ("The problem is empty.", "题目为空。"),
    "empty_hint": ("Write the problem in quotes.", "请输入题目，并加上引号。"),
    "long": (
        "The problem has {count:,} characters; at most {limit:,} are allowed.",
        "题目有 {count:,} 个字符，最多允许 {limit:,} 个。",
    ),
    "long_hint": ("Enter one problem at a time.", "请一次只输入一道题。"),
    "binary": ("Character {place} is not readable text.", "第 {place} 个字符不是可读的文字。"),
    "binary_hint": ("Use plain text in UTF-8.", "请使用 UTF-8 纯文本。"),
    "wordless": ("The problem has no words.", "题目中没有文字。"),
    "wordless_hint": ("Describe it in Chinese or English.", "请用中文或英文描述题目。"),
    "unreadable": (
        "This looks like mathematics, but it cannot be read: {problem}.",
        "这像是算式或方程，但无法读懂：{problem}。",
    ),
    "inequality": ("Inequalities are not solved, only equations.", "目前只能解方程，不能解不等式。"),
    "inequality_hint": ("Write an equation such as 2x+3=11.", "请输入方程，例如 2x+3=11。"),
    "unreadable_hint": (
        "Write it like 3*(4+5), 2x+3=11 or x+y=5; x-y=1.",
        "请写成 3*(4+5)、2x+3=11 或 x+y=5; x-y=1 这样的形式。",
    ),
    "foreign": ("The problem is neither in Chinese nor in English.", "题目既不是中文，也不是英文。"),
    "foreign_hint": (
        "Translate it into Chinese or English.",
        "请用中文或英文输入题目。",
    ),
    "numbers_limit": (
        "The problem has {count} numbers; at most {limit} are allowed.",
        "题目中有 {count} 个数，最多允许 {limit} 个。",
    ),
    "numbers_limit_hint": ("Enter one problem at a time.", "请一次只输入一道题。"),
    "nothing": (
        "This is not a math word problem: it has no number and no question. Say what is known and what to find.",
        "这不是应用题：没有数，也没有提出问题。请写明已知什么、求什么。",
    ),
    "no_number": ("The text has no number that an equation could use.", "题目中没有可以用来列方程的数。"),
    "no_question": (
        "The text has no question. End it with one, such as: How many are there?",
        "题目没有提出问题。请在末尾写明求什么，例如：一共有多少个？",
    ),
    "no_quantity": (
        "The question does not ask for a quantity, so equations cannot answer it.",
        "问题问的不是数量，无法用方程求解。",
    ),
    "letter": (
        "A letter stands for one of the numbers, so the answer is not a number. Replace the letter with a number.",
        "题中用字母代替了一个数，所以答案不是具体的数。请把字母换成具体的数。",
    ),
    "unlikely": (
        "The best guess is more likely wrong than right (confidence {confidence:.2f}).",
        "最可能的猜测也多半是错的（置信度 {confidence:.2f}）。",
    ),
    "unsure": (
        "The best guess is not reliable enough (confidence {confidence:.2f}; the threshold is {threshold:.2f}).",
        "最可能的猜测不够可靠（置信度 {confidence:.2f}，至少需要 {threshold:.2f}）。",
    ),
    "unsolved": (
        "None of the model's equations has a solution that could be the answer.",
        "模型列出的方程都没有可作为答案的解。",
    ),
    "silent": ("The model proposes no equations for this text.", "模型没能为这道题列出方程。"),
    "no_model": ("The problem must be in {known}, got {given}.", "题目只能是{known}，而这道题是{given}。"),
    "no_model_hint": ("Load a model for it.", "请加载相应的模型。"),
    "language_zh": ("Chinese", "中文"),
    "language_en": ("English", "英文"),
    "value_count": (
        "The text has {numbers} numbers, but {values} values were given.",
        "题中有 {numbers} 个数，但给出了 {values} 个值。",
    ),
    "value_count_hint": ("Give one value for each number.", "请为每个数给出一个值。"),
    "not_a_number": ("“{text}” is not a number.", "“{text}”不是数。"),
    "not_a_number_hint": ("Write it as 12, 0.5, 3/4 or 25%.", "请写成 12、0.5、3/4 或 25%。"),
    "renumbered": (
        "With these numbers, the equations have no solution that could be the answer.",
        "换成这些数后，方程没有可作为答案的解。",
    ),
}

# --- files and pasted texts with several problems --------------------------------------------------------------------

_LISTS = {
    "list_empty": ("The list is empty.", "内容为空，没有题目。"),
    "list_empty_hint": ("Write one problem per line, or a numbered list.", "请每行写一道题，或写成编号列表。"),
    "list_binary": ("This is not a text file.", "这不是文本文件。"),
    "list_binary_hint": (
        "Save it as plain text or CSV. Spreadsheet programs do this with “Save as”, CSV UTF-8.",
        "请另存为纯文本或 CSV。在电子表格软件中，请选择“另存为”，格式选 CSV UTF-8。",
    ),
    "list_encoding": (
        "The characters of the file cannot be read: it is neither UTF-8 nor GB18030.",
        "无法识别文件的编码：既不是 UTF-8，也不是 GB18030。",
    ),
    "list_encoding_hint": ("Save it as UTF-8.", "请将文件另存为 UTF-8 编码。"),
    "list_row_encoding": (
        "The row has characters of another encoding than the rows before it.",
        "这一行的编码与前面的行不同。",
    ),
    "list_large": (
        "The file has {size:,} bytes; at most {limit:,} are allowed.",
        "文件有 {size:,} 字节，最多允许 {limit:,} 字节。",
    ),
    "list_large_hint": ("Split it into several files.", "请拆分成几个文件。"),
    "list_many": (
        "There are {count:,} problems; at most {limit:,} are allowed.",
        "共有 {count:,} 道题，最多允许 {limit:,} 道。",
    ),
    "list_lines": (
        "There are {count:,} lines; at most {limit:,} are allowed.",
        "共有 {count:,} 行，最多允许 {limit:,} 行。",
    ),
    "list_lines_hint": ("Split them into several lists.", "请拆分成几份。"),
    "list_many_hint": ("Split them into several lists.", "请拆分成几份。"),
    "list_header_only": ("The column “{column}” has no problems below its name.", "“{column}”这一列没有题目。"),
    "list_header_only_hint": ("Write one problem per row below it.", "请在列名下面每行写一道题。"),
    "list_unknown_column": (
        "There is no column “{column}”. The columns are: {columns}.",
        "没有名为“{column}”的列。现有的列：{columns}。",
    ),
    "list_unknown_column_hint": ("Name one of them, or its number.", "请给出其中一列的名称或序号。"),
    "list_no_column": (
        "No column has problems. The columns are: {columns}.",
        "没有找到题目所在的列。现有的列：{columns}。",
    ),
    "list_no_column_hint": (
        "Call the column of the problems “problem”, or name it.",
        "请将题目所在的列命名为“题目”，或指明列名。",
    ),
    "list_broken_csv": (
        "Line {line} cannot be read as CSV.",
        "第 {line} 行不是正确的 CSV 格式。",
    ),
    "list_long_row": (
        "The row at line {line:,} has more than {limit:,} characters.",
        "第 {line:,} 行所在的表格行超过 {limit:,} 个字符。",
    ),
    "list_long_row_hint": ("A quotation mark may be missing.", "可能缺少引号。"),
    "list_broken_csv_hint": ("Check the quotes in this line.", "请检查这一行的引号。"),
    "list_no_cell": ("This row has no problem.", "这一行没有题目。"),
    "list_extra_cells": (
        "This row has more cells than the header. Put the problem into quotes.",
        "这一行的单元格比表头多。请给题目加上引号。",
    ),
}

# --- equations that cannot be read -----------------------------------------------------------------------------------

_EQUATION_ERRORS = {
    "bad_character": (
        "Unexpected character {character}; equations use numbers, names and + - * / ^ ( ) = ;",
        "无法识别的字符 {character}；方程中只能使用数字、字母和 + - * / ^ ( ) = ;",
    ),
    "unexpected": ("Expected {expected}, got {found}", "此处应为{expected}，实际是{found}"),
    "expected_statement_end": ("an operator, '=' or ';'", "运算符、“=”或“;”"),
    "expected_operand": ("a number, an unknown or '('", "数、未知数或“(”"),
    "expected_sign": ("'{sign}'", "“{sign}”"),
    "found_end": ("the end of the text", "文本末尾"),
    "found_text": ("'{text}'", "“{text}”"),
    "found_line_end": ("the end of the line", "行末"),
    "no_equation": ("There is no equation; try x+2=5", "没有找到方程；请输入方程，例如 x+2=5"),
    "no_relation": (
        "There is no '=', so there is nothing to solve for {unknown}. Write an equation such as x+2=5",
        "没有“=”，无法求 {unknown}。请输入方程，例如 x+2=5",
    ),
    "run_together": (
        "Two equations seem to run together here. Separate them with ';', for example 3x=9; x=3",
        "这里好像是两个方程连在了一起。请用“;”隔开，例如 3x=9; x=3",
    ),
    "not_an_equation": ("Expected an equation, got the condition {condition}", "此处应为方程，实际是条件 {condition}"),
    "not_an_expression": ("Expected one expression without '=' or ';'", "此处应为一个不含“=”和“;”的式子"),
    "write_equations": ("Write equations such as x+2=5; x*y=6.", "请输入方程，例如 x+2=5; x*y=6。"),
    "at_column": (" (column {column})", "（第 {column} 个字符）"),
    "only_conditions": ("There are conditions but no equation.", "只有条件，没有方程。"),
    "only_conditions_hint": (
        "Add an equation, for example: sau equation 'x^2=9; x>0'",
        "请加上方程，例如：sau equation 'x^2=9; x>0'",
    ),
    "long_number": (
        "A number has {count:,} digits; at most {limit} are allowed.",
        "其中一个数有 {count:,} 位，最多允许 {limit} 位。",
    ),
    "long_number_hint": ("Shorten it.", "请缩短这个数。"),
    "large_exponent": ("The number {number} has more than {limit} digits.", "数 {number} 超过 {limit} 位。"),
    "large_exponent_hint": ("Use a smaller exponent.", "请减小指数。"),
    "long_equations": (
        "The equations have {count:,} characters; at most {limit:,} are allowed.",
        "方程有 {count:,} 个字符，最多允许 {limit:,} 个。",
    ),
    "long_equations_hint": ("Shorten them.", "请缩短方程。"),
    "deep_expression": (
        "The expression at column {column} is nested more than {limit} levels deep.",
        "第 {column} 个字符处的式子嵌套超过 {limit} 层。",
    ),
    "deep_expression_hint": ("Simplify it.", "请化简这个式子。"),
    "deep_brackets": (
        "Brackets, signs and powers are nested more than {limit} levels deep.",
        "括号、正负号和乘方的嵌套超过 {limit} 层。",
    ),
    "deep_brackets_hint": ("Simplify the equation.", "请化简方程。"),
}

# --- why equations have no list of solutions -------------------------------------------------------------------------

_REASONS = {
    "divides_by_zero": ("an expression divides by zero", "式子中出现了除数为零的情况"),
    "no_real_solution": ("no real values satisfy all equations", "没有实数满足所有方程"),
    "roots_excluded": ("every root makes a denominator zero", "每个根都使分母为零"),
    "true_statement": ("the statement is true and contains no unknown", "等式成立，且不含未知数"),
    "false_statement": ("the statement is false and contains no unknown", "等式不成立，且不含未知数"),
    "always_true": ("every value of {unknown} satisfies the equation", "{unknown} 取任何值，等式都成立"),
    "always_false": ("the equation is false for every value", "无论未知数取何值，等式都不成立"),
    "contradiction": ("the equations contradict each other", "方程互相矛盾"),
    "free_unknown": ("the equations leave an unknown free", "方程不能确定每个未知数的值"),
    "unmet_conditions": ("no solution meets {conditions}", "没有满足 {conditions} 的解"),
    "undecided_condition": (
        "it could not be decided whether {solution} meets {condition}",
        "无法判断 {solution} 是否满足 {condition}",
    ),
    "undecided_family": (
        "the equations have infinitely many solutions; it could not be decided how many of them meet {conditions}",
        "方程有无穷多个解，但无法判断其中有多少个满足 {conditions}",
    ),
    "infinitely_many_meet": (
        "the equations leave an unknown free, and infinitely many solutions meet {conditions}",
        "方程不能确定每个未知数的值，并且有无穷多个解满足 {conditions}",
    ),
    "range": ("{ranges}: every such number satisfies the equation", "{ranges}：这样的数都满足方程"),
    "periodic": ("they repeat; k stands for every integer", "解有周期性，k 取任意整数"),
    "perhaps_others": ("these were found; there may be others", "只求出了这些解，可能还有其他解"),
    "true_where_defined": (
        "every value of {unknown} for which both sides are defined satisfies the equation",
        "{unknown} 取任何使等式两边都有意义的值，等式都成立",
    ),
    "large_solution": ("the solution has thousands of digits", "解的位数多达数千位"),
    "large_power": ("a power has thousands of digits", "乘方的结果多达数千位"),
    "large_factors": ("the number is too large to be factored", "这个数太大，无法分解"),
    "large_prime": ("the number is too large to tell whether it is prime", "这个数太大，无法判断是不是质数"),
    "budget": ("the equations need more work than the budget allows", "求解所需的计算量超过限制"),
    "large_coefficients": ("a coefficient has thousands of digits", "方程的系数多达数千位"),
    "large_elimination": ("elimination needs numbers with thousands of digits", "消元时会出现多达数千位的数"),
    "many_unknowns": (
        "the system has {count} unknowns; at most {limit} are supported",
        "方程组有 {count} 个未知数，最多支持 {limit} 个",
    ),
    "many_nonlinear_unknowns": (
        "the non-linear system has {count} unknowns; at most {limit} are supported",
        "非线性方程组有 {count} 个未知数，最多支持 {limit} 个",
    ),
    "many_cases": ("the system has too many cases", "方程组需要讨论的情况太多"),
    "many_terms": ("an equation has more than {limit:,} terms", "方程超过 {limit:,} 项"),
    "high_degree": (
        "an equation has degree {degree:,}; the maximum is {limit:,}",
        "方程的次数是 {degree:,}，最多支持 {limit:,} 次",
    ),
    "high_elimination_degree": ("elimination leads to an equation of too high a degree", "消元后方程的次数太高"),
    "shared_factor": (
        "the equations share a factor whose real points could not be found",
        "方程有公因式，但无法求出它的实数解",
    ),
    "close_roots": ("the roots are too close together to be separated", "方程的根过于接近，无法区分"),
    "not_started": ("the symbolic solver could not be started", "无法启动符号求解程序"),
    "deadline": ("not solved within {seconds:g} s", "在 {seconds:g} 秒内没有解出"),
    "rationed": ("the symbolic solver was used for other candidates", "符号求解程序已用于其他候选方程"),
    "no_method": ("no method can solve these equations", "目前没有方法可以解这些方程"),
    "out_of_memory": ("the equations need more memory than is allowed", "求解所需的内存超过限制"),
    "gave_up": ("the symbolic solver found no solution", "符号求解程序没有解出"),
    "unproven": ("a solution was found but could not be verified", "找到了解，但无法验证"),
    "none_unproven": ("no solution was found, but there may be one", "没有找到解，也无法证明无解"),
}

# --- labels around a solution on a screen ----------------------------------------------------------------------------

_LABELS = {
    "label_problem": ("Problem", "题目"),
    "label_equations": ("Equations", "方程"),
    "label_tree": ("Tree", "表达式树"),
    "label_steps": ("Steps", "步骤"),
    "label_answer": ("Answer", "答案"),
    "label_guess": ("Best guess: {answer}", "最可能的猜测：{answer}"),
    "label_too_wide": (
        "The tree is too wide for this screen. Draw it with --tree FILE.svg.",
        "屏幕太窄，无法显示这棵树；可用 --tree FILE.svg 保存为图片。",
    ),
    "label_too_large": (
        "The tree has {count} symbols, too many to show here. Draw it with --tree FILE.svg.",
        "这棵树有 {count} 个符号，太大，无法在此显示；可用 --tree FILE.svg 保存为图片。",
    ),
    "label_confidence": (
        "Confidence {percent} %: about {percent} of 100 such answers are right.",
        "置信度 {percent}%：这样的答案，每 100 个中大约有 {percent} 个是正确的。",
    ),
    "label_certain": (
        "Confidence above 99 %: more than 99 of 100 such answers are right.",
        "置信度超过 99%：这样的答案，每 100 个中有 99 个以上是正确的。",
    ),
    "label_exact": ("Calculated exactly.", "精确计算的结果。"),
    "label_solving": ("Loading the model and solving", "正在加载模型并求解"),
    "label_abstained": ("No confident answer", "没有可靠的答案"),
    "label_none": ("No solution: {reason}", "无解：{reason}"),
    "label_infinite": ("Infinitely many solutions: {reason}", "有无穷多解：{reason}"),
    "label_partial": ("Perhaps not all: {reason}", "可能不完整：{reason}"),
    "label_too_hard": ("Too hard: {reason}", "没有解出：{reason}"),
}

# --- worksheets ------------------------------------------------------------------------------------------------------

_SHEETS = {
    "sheet_title": ("Worksheet", "练习卷"),
    "sheet_answers": ("Answers", "答案"),
    "sheet_name": ("Name:", "姓名："),
    "sheet_date": ("Date:", "日期："),
    "sheet_answer": ("Answer: {answer}", "答案：{answer}"),
    "sheet_guess": (
        "No confident answer. {reason} Best guess, not verified: {answer}",
        "没有可靠的答案。{reason}最可能的猜测（未经验证）：{answer}",
    ),
    "sheet_none": ("No answer. {reason}", "没有答案。{reason}"),
    "sheet_unknown_reason": ("The reason is not known.", "原因不明。"),
    "sheet_column_number": ("number", "题号"),
    "sheet_column_problem": ("problem", "题目"),
    "sheet_column_answer": ("answer", "答案"),
    "sheet_column_equations": ("equations", "方程"),
    "sheet_column_steps": ("steps", "步骤"),
    "sheet_column_confidence": ("confidence", "置信度"),
    "sheet_column_remark": ("remark", "备注"),
}

MESSAGES: Mapping[str, tuple[str, str]] = {
    **_PROBLEMS,
    **_LISTS,
    **_EQUATION_ERRORS,
    **_REASONS,
    **_LABELS,
    **_SHEETS,
}
