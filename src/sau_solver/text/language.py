"""Detect the language of a text: Chinese, English, or one that cannot be solved."""

from __future__ import annotations

import re

from sau_solver.problem import Language

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}+")
_ASCII_WORD = re.compile(r"[A-Za-z]{2,}+")
_DIGIT_OR_ACCENT = re.compile(r"[\d\u00c0-\u024f]")  # a number of a problem, or a letter not used in English
_FEW_WORDS = 3
# Greek letters and similar symbols name angles and units in problems of every language.
_LETTER_OF_FORMULAS = re.compile(r"[\u0370-\u03ff\u2100-\u214f\u00aa\u00b5\u00ba\u02b0-\u02ff]")

_ENGLISH_WORDS = """
the of is are was were has have had and how many much what which when if find there each than more less he she it they
his her their for with at on to you your number sum times from by that this does do did will can be two one an as not
all per some solve calculate after before cost total give get only left between who why where in twice half plus minus
about write out into up so my me we us its most same age years day days hours dollars then other another first second
three four five ten
"""
# The most frequent words of Spanish, German, French, Italian, Portuguese, Dutch, Polish, Turkish and Indonesian.
_FOREIGN_WORDS = """
el la los las del de que un una uno por para con cuántos cuántas cuánto cuánta cuantos cuantas cuanto tiene tienen
der die das und ist sind wie viele viel ein eine einen einem hat haben mit von zu wieviel kostet nicht auf für
le les des du est sont et une combien avec pour dans il elle ils chaque quel quelle en au aux
lo gli di che quanti quante quanto ha hanno della nel sono os da das dos quantos quantas tem têm com uma um em não
het een van hoeveel zijn heeft met voor ile jest ma są kaç var bir ve berapa ada dan yang
"""
_ENGLISH, _FOREIGN = frozenset(_ENGLISH_WORDS.split()), frozenset(_FOREIGN_WORDS.split())


def detect_language(text: str) -> Language:
    """Return "zh" if Chinese characters outnumber Latin words of two or more letters, otherwise "en"."""
    characters = len(_HAN.findall(text))
    return "zh" if characters and characters > len(_ASCII_WORD.findall(text)) else "en"


def is_foreign(text: str) -> bool:
    """Return whether a text is written in neither Chinese nor English, by its scripts and its common words."""
    letters = sum(char.isalpha() and not _LETTER_OF_FORMULAS.match(char) for char in text)
    han, kana, latin = (len(script.findall(text)) for script in (_HAN, _KANA, _LATIN))
    if (kana > 1 and 5 * kana > han) or han + latin < 0.7 * letters:
        return True
    words = [word.lower() for word in _LATIN_WORD.findall(text)]
    if han and han >= len(words):
        return False
    english, foreign = (sum(word in known for word in words) for known in (_ENGLISH, _FOREIGN))
    if not english and not foreign and 0 < len(words) <= _FEW_WORDS and not _DIGIT_OR_ACCENT.search(text):
        return False  # "hello world" is too short to decide, and it is not a math problem in any language
    return english <= foreign
