"""Build, verify and describe the models that the package ships.

python scripts/ship.py build zh runs/shipped-zh/all-seed0/model --most 127
python scripts/ship.py build zh runs/shipped-zh-permissive/all-seed0/model --permissive    # to compare, not to ship
python scripts/ship.py verifier CONFIG runs/shipped-zh/all-seed0/model   # train a verifier for a trained network
python scripts/ship.py refit zh            # fit preference and confidence of the shipped model again
python scripts/ship.py validate zh MODEL   # right answers on validation problems, to compare trained networks
python scripts/ship.py copies              # find the test problems with near copies in the training data, for the cards
python scripts/ship.py cards               # renew docs/shipped-models.md, its pictures and the table of the README
python scripts/ship.py verify              # check checksums, configuration and corpora of the shipped models
python scripts/ship.py verify --trained runs/shipped-zh/all-seed0/model --language zh
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sau_solver.data.prepared.mixtures import held_out
from sau_solver.errors import SauError
from sau_solver.experiments.config import load_config
from sau_solver.models.loading import load_model
from sau_solver.problem import Language
from sau_solver.shipping.card_copies import write_copies
from sau_solver.shipping.card_licenses import comparison
from sau_solver.shipping.cards import MARKS, card, draw_curves, page, summary
from sau_solver.shipping.fit_verifier import fit_verifier
from sau_solver.shipping.ship import refit, ship, verify
from sau_solver.shipping.trials import try_out
from sau_solver.training.verifying import VerifierReport, VerifierTraining

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "src/sau_solver/models/weights"
REPORTS = ROOT / "results/shipped"
LANGUAGES: tuple[Language, ...] = ("zh", "en")


def main() -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="quantize, calibrate and measure a trained network")
    build.add_argument("language", choices=LANGUAGES)
    build.add_argument("trained", type=Path, help="the model/ folder that sau train wrote")
    build.add_argument("--most", type=int, default=127, help="largest integer that weights are quantized to")
    build.add_argument("--permissive", action="store_true", help="measure a network of the permissive configuration")
    judge = commands.add_parser("verifier", help="train a verifier on the verification parts of a configuration")
    judge.add_argument("config", type=Path, help="the configuration that the network was trained with")
    judge.add_argument("trained", type=Path, help="the model/ folder that sau train wrote; it gets the verifier")
    judge.add_argument("--generated", type=int, default=4000, help="problems of the curriculum to learn from, too")
    judge.add_argument("--epochs", type=int, default=VerifierTraining().epochs)
    judge.add_argument("--jobs", type=int, default=1, help="processes that judge candidates")
    again = commands.add_parser("refit", help="fit preference and confidence of a shipped model again")
    again.add_argument("language", choices=LANGUAGES)
    compare = commands.add_parser("validate", help="measure a trained network on validation problems")
    compare.add_argument("language", choices=LANGUAGES)
    compare.add_argument("trained", type=Path, help="the model/ folder that sau train wrote")
    commands.add_parser("copies", help="find the test problems with near copies in the training data")
    commands.add_parser("cards", help="write the page of all models, its pictures and the table of the README")
    check = commands.add_parser("verify", help="check the shipped models")
    check.add_argument("--language", choices=LANGUAGES)
    check.add_argument("--trained", type=Path, help="the network that the weights were made from")
    given = parser.parse_args()
    try:
        if given.command == "build":
            _build(given.language, given.trained, given.most, given.permissive)
        elif given.command == "verifier":
            options = VerifierTraining(epochs=given.epochs)
            count = fit_verifier(
                load_config(given.config), given.trained, options, given.generated, given.jobs, _print_epoch
            )
            print(f"{given.trained}: verifier trained on {count:,} problems")
        elif given.command == "refit":
            config = load_config(ROOT / f"configs/shipped/shipped-{given.language}.toml")
            _print(refit(config, WEIGHTS / given.language, REPORTS / given.language))
            _print_copies(given.language)
        elif given.command == "validate":
            _validate(given.language, given.trained)
        elif given.command == "copies":
            for language in LANGUAGES:
                _print_copies(language)
        elif given.command == "cards":
            write_cards(ROOT / "docs")
        else:
            for language in (given.language,) if given.language else LANGUAGES:
                config = load_config(ROOT / f"configs/shipped/shipped-{language}.toml")
                checks = verify(config, WEIGHTS / language, given.trained)
                print("\n".join([*checks.passed, *(f"skipped: {one}" for one in checks.skipped)]))
    except SauError as error:
        sys.exit(str(error))


def _build(language: Language, trained: Path, most: int, permissive: bool) -> None:
    """Build the shipped model of a language, or a permissive one, which stays beside the trained network."""
    if permissive:
        config = load_config(ROOT / f"configs/shipped/shipped-{language}-permissive.toml")
        _print(ship(config, trained, trained.parent / "shipped", most, REPORTS / f"{language}-permissive"))
        return
    config = load_config(ROOT / f"configs/shipped/shipped-{language}.toml")
    _print(ship(config, trained, WEIGHTS / language, most, REPORTS / language))
    _print_copies(language)


def _print_copies(language: Language) -> None:
    """Store the test problems with near copies in the training data, and print how many there are."""
    for part, ids in write_copies(WEIGHTS / language, REPORTS / language).items():
        print(f"{part}: {len(ids):,} problems with near copies")


def _print_epoch(report: VerifierReport) -> None:
    print(f"epoch {report.epoch}: loss {report.loss:.4f}, {100 * report.chosen:.2f} % of the right answers chosen")


def _print(report: Mapping[str, Any]) -> None:
    for kind in ("validation", "test"):
        for part, found in report[kind].items():
            print(f"{kind} {part}: {100 * found['answer']:.2f} % of {found['problems']:,} right")


def _validate(language: Language, trained: Path) -> None:
    config = load_config(ROOT / f"configs/shipped/shipped-{language}.toml")
    right = problems = 0
    mixture = config.one_mixture()
    for part in mixture.validation:
        trials = try_out(load_model(trained), held_out(mixture, part, config.text, config.equations))
        own = sum("answer" in trial.right for trial in trials)
        print(f"{part}: {100 * own / len(trials):.2f} % of {len(trials):,} right")
        right, problems = right + own, problems + len(trials)
    print(f"all: {100 * right / problems:.2f} % of {problems:,} right")


def write_cards(docs: Path) -> None:
    """Write the page of all models, the picture of each, and the table of the README."""
    for language in LANGUAGES:
        draw_curves(language, REPORTS / language, docs / f"pictures/risk-coverage-{language}.svg")
    parts = {language: card(language, WEIGHTS / language, REPORTS / language) for language in LANGUAGES}
    reports = {language: (REPORTS / language, REPORTS / f"{language}-permissive") for language in LANGUAGES}
    (docs / "shipped-models.md").write_text(page(parts, comparison(reports)), encoding="utf-8")
    readme = docs.parent / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(MARKS[0])
    table = summary({language: REPORTS / language for language in LANGUAGES})
    readme.write_text(before + MARKS[0] + table + MARKS[1] + rest.partition(MARKS[1])[2], encoding="utf-8")


if __name__ == "__main__":
    main()
