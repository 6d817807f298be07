"""The invented files of every published format, by name and by corpus."""

from __future__ import annotations

from tests.data.published_chinese import CM17K, GSM8K_ZH, HMWP, MATH23K
from tests.data.published_english import (
    ASDIV,
    ASDIV_A,
    DOLPHIN,
    DOLPHIN18K,
    GSM8K,
    KUSHMAN,
    KUSHMAN_NESTED,
    MATHQA,
    MAWPS,
    SVAMP,
)

ALL = {
    "Math23K": MATH23K,
    "HMWP": HMWP,
    "CM17K": CM17K,
    "ALG514": KUSHMAN,
    "DRAW-1K": KUSHMAN_NESTED,
    "MAWPS": MAWPS,
    "Dolphin1878": DOLPHIN,
    "Dolphin18K": DOLPHIN18K,
    "ASDiv": ASDIV,
    "ASDiv-A": ASDIV_A,
    "SVAMP": SVAMP,
    "MathQA": MATHQA,
    "GSM8K": GSM8K,
    "GSM8K in Chinese": GSM8K_ZH,
}

# The files that a public server offers for the corpora that can be fetched.
BY_CORPUS = {
    "hmwp": HMWP,
    "hmwp-all": HMWP,
    "alg514": KUSHMAN_NESTED,
    "draw1k": KUSHMAN_NESTED,
    "dolphin1878": DOLPHIN,
    "dolphin_l": KUSHMAN,
    "mawps": MAWPS,
    "mawps-single": MAWPS,
    "asdiv": ASDIV,
    "asdiv-a": ASDIV_A,
    "svamp": SVAMP,
    "ape210k-valid": MATH23K,
    "cm17k-valid": CM17K,
    "mathqa-valid": MATHQA,
    "gsm8k": GSM8K,
}
