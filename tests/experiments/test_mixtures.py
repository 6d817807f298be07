"""One network, several corpora: trees of one form, and nothing held out is learned from, not even as a copy."""

from __future__ import annotations

import dataclasses
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.data import available, load
from sau_solver.data.prepared import parts
from sau_solver.data.prepared.agreement import agrees
from sau_solver.data.prepared.examples import prepare
from sau_solver.data.prepared.folds import make_manifest
from sau_solver.data.prepared.one_form import one_form
from sau_solver.data.prepared.overlap import HeldOutTexts, masked, values
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError, SauError
from sau_solver.experiments.config import ExperimentConfig, config_text, load_config, parse_config
from sau_solver.experiments.crossval import crossval_all
from sau_solver.experiments.evaluation import evaluate, evaluate_trained
from sau_solver.experiments.mixtures import MixtureMaterial, gather_mixture, held_out
from sau_solver.experiments.runs import gather
from sau_solver.experiments.training_runs import TrainingRun, train
from sau_solver.models.baselines.jaccard import similarity
from sau_solver.models.checkpoint import read_checkpoint
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText, map_text
from tests.experiments.conftest import corpus as small_corpus
from tests.experiments.conftest import problems

CONFIGS = Path(__file__).parents[2] / "configs"
CONFIG = """
[experiment]
name = "mixed"
model = "sau"
text = "raw"
equations = "ordered"

[mixture]
language = "en"
sources = ["alg514", "mawps", "gsm8k"]
test = ["alg514/fold0", "gsm8k/test"]
validation = ["mawps/slice3"]
"""
TEXTS = (
    "A baker sells {0} loaves in the morning and {1} rolls at noon. How many does the baker sell in all?",
    "Tom read {0} pages on Monday and {1} fewer pages on Tuesday. How many pages did Tom read on Tuesday?",
    "Each of {0} gardeners plants {1} tulips along the fence. How many tulips are planted along the fence?",
)
TOOLS = ("+", "-", "*")


def row(id_: str, text: str, equation: str, answer: float, **more: object) -> dict[str, object]:
    return {"id": id_, "text": text, "equations": [equation], "answer": [answer]} | more


def mawps() -> list[dict[str, object]]:
    """Twelve problems of three kinds, a copy of one that ALG514 tests, one with a wrong label and one that repeats."""
    rows = []
    for k in range(12):
        a, b = 20 + k, 3 + k
        text = TEXTS[k % 3].format(a, b).replace("Tom", f"Tom{'abcd'[k // 3]}")
        value = {"+": a + b, "-": a - b, "*": a * b}[TOOLS[k % 3]]
        rows.append(row(f"m{k}", text, f"{a}{TOOLS[k % 3]}{b}=x", value, fold=k % 5))
    (tested,) = (p for p in problems() if p.id == "0-heads")
    rows += [
        row("copy", tested.text.replace("12", "40").replace("30", "100"), "h+c=40; 2*h+4*c=100", 30, fold=0),
        row("near", tested.text.replace("On a farm", "On one small farm"), "h+c=12; 2*h+4*c=30", 9, fold=0),
        row("wrong", "There are 9 swans and 4 geese on a lake. How many birds swim there?", "x=9-4", 13, fold=1),
        row("guess", "Of 8 swans on a pond half fly away. How many swans are left there?", "x=4", 4, fold=1),
        row("none", "A text without an equation that 3 readers understand", "x=(3", 3, fold=2),
    ]
    for one in rows[-5:-3]:
        one["equations"] = str(one["equations"][0]).split("; ")  # type: ignore[index]
        one["answer"] = [30, 10] if one["id"] == "copy" else [9, 3]
    return rows


def gsm8k() -> list[dict[str, object]]:
    return [
        {"id": f"{split}-{k}", "text": text, "solution": f"So <<{sum_}>>.\n#### {answer}", "split": split}
        for split, k, text, sum_, answer in (
            ("train", 0, "Kim saves 15 dollars each week for 6 weeks. How many dollars has Kim saved?", "15*6=90", 90),
            ("train", 1, TEXTS[0].format(20, 3), "20+3=23", 23),  # in MAWPS, too
            (
                "test",
                0,
                "Lou folds 30 paper cranes and loses 7 of them. How many paper cranes are left?",
                "30-7=23",
                23,
            ),
        )
    ]


def alg514() -> list[dict[str, object]]:
    return [
        {"id": p.id, "text": p.text, "equations": p.equations, "answer": list(map(float, p.answers)), "fold": fold}
        for p in problems()
        for fold in [int(p.id[0]) if p.id[0].isdigit() else 4]
    ]


def write(folder: Path, corpora: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
    for name, rows in corpora.items():
        path = folder / name / f"{name}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in rows).encode()))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    write(folder, {"alg514": alg514(), "mawps": mawps(), "gsm8k": gsm8k()})
    monkeypatch.setenv("SAU_DATA", str(folder))
    monkeypatch.setattr(parts, "load_manifest", lambda name, corpus: make_manifest(corpus, name))
    return folder


@pytest.fixture
def config() -> ExperimentConfig:
    return parse_config(CONFIG)


@pytest.fixture
def material(data: Path, config: ExperimentConfig) -> MixtureMaterial:
    return gather_mixture(config, data)


def held(material: MixtureMaterial) -> dict[str, list[str]]:
    both = {**material.test, **material.validation}
    return {part: [one.problem.id for one in prepared] for part, prepared in both.items()}


class TestHoldingOut:
    def test_every_part_is_there_whole_and_none_of_it_is_learned(self, material: MixtureMaterial) -> None:
        out = held(material)
        assert out["alg514/fold0"] == ["0-buy", "0-box", "0-heads", "0-square"]
        assert out["gsm8k/test"] == ["test-0"]
        assert len(out["mawps/slice3"]) == 17 // 3
        learned = {example.problem.id for example in material.train}
        assert not learned & {id_ for ids in out.values() for id_ in ids}

    def test_no_training_text_has_the_words_of_a_held_out_one(self, material: MixtureMaterial) -> None:
        out = {
            masked(one.text)
            for prepared in (*material.test.values(), *material.validation.values())
            for one in prepared
        }
        assert not out & {masked(example.text) for example in material.train}

    def test_copies_from_other_corpora_are_dropped(self, data: Path, config: ExperimentConfig) -> None:
        assert config.mixture is not None
        alone = dataclasses.replace(config, mixture=dataclasses.replace(config.mixture, validation=()))
        material = gather_mixture(alone, data)
        learned = {example.problem.id for example in material.train}
        assert not learned & {"copy", "near", "wrong", "guess", "none"}
        counts = material.sources["mawps"]
        assert (counts.equal, counts.near, counts.disagreeing, counts.unfounded, counts.unusable) == (1, 1, 1, 1, 1)

    def test_counts_add_up(self, material: MixtureMaterial) -> None:
        for counts in material.sources.values():
            dropped = counts.unusable + counts.disagreeing + counts.unfounded + counts.duplicates
            assert counts.problems == counts.held_out + dropped + counts.learned
        assert len(material.train) == sum(counts.learned for counts in material.sources.values())

    def test_what_an_earlier_source_has_is_not_learned_twice(self, data: Path, config: ExperimentConfig) -> None:
        assert config.mixture is not None
        alone = dataclasses.replace(config, mixture=dataclasses.replace(config.mixture, validation=()))
        material = gather_mixture(alone, data)
        assert material.sources["gsm8k"].repeated == 1
        assert "train-1" not in {example.problem.id for example in material.train}

    def test_a_mixture_does_not_depend_on_when_it_is_gathered(self, data: Path, config: ExperimentConfig) -> None:
        assert gather_mixture(config, data) == gather_mixture(config, data)

    def test_a_slice_does_not_depend_on_the_order_of_the_file(
        self, data: Path, material: MixtureMaterial, config: ExperimentConfig
    ) -> None:
        write(data, {"mawps": mawps()[::-1]})
        again = held(gather_mixture(config, data))
        assert sorted(again["mawps/slice3"]) == sorted(held(material)["mawps/slice3"])

    def test_one_part_alone_is_the_same(self, data: Path, material: MixtureMaterial, config: ExperimentConfig) -> None:
        for part, prepared in {**material.test, **material.validation}.items():
            assert tuple(held_out(config, part, data)) == prepared
        with pytest.raises(InputError, match=r"holds out alg514/fold0, gsm8k/test, mawps/slice3; 'alg514' came"):
            held_out(config, "alg514", data)

    def test_a_checkpoint_says_all_of_it(self, material: MixtureMaterial) -> None:
        told = json.loads(json.dumps(material.data))
        assert told == material.data  # as it comes back from a file
        assert told["name"] == "mixture"
        assert told["test"] == {"alg514/fold0": 4, "gsm8k/test": 1}
        assert told["validation"] == {"mawps/slice3": 5}
        for name, counts in material.sources.items():
            own = told["sources"][name]
            assert len(own["fingerprint"]) == 64
            assert (own["learned"], own["duplicates"]) == (counts.learned, counts.duplicates)


class TestParts:
    @pytest.mark.parametrize(
        ("part", "message"),
        [
            ("gsm8k/tset", r"Did you mean gsm8k/test\? Known: train, test, sliceN"),
            ("alg514/fold7", r"Known: fold0, fold1, fold2, fold3, fold4, sliceN for one in N"),
            ("alg514/slice0", "no part of alg514"),
            ("mawps/all", "no part of mawps is called 'all'"),
        ],
    )
    @pytest.mark.usefixtures("data")
    def test_an_unknown_part_names_the_known_ones(self, part: str, message: str) -> None:
        with pytest.raises(InputError, match=message):
            gather_mixture(parse_config(CONFIG.replace("alg514/fold0", part)))

    def test_parts_that_overlap_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(parts, "load_manifest", lambda name, corpus: make_manifest(corpus, name))
        marked = tuple(dataclasses.replace(p, fold=k % 5, split="test") for k, p in enumerate(problems()))
        corpus = dataclasses.replace(small_corpus(), problems=marked)
        with pytest.raises(InputError, match=r"alg514/test and alg514/fold0 both hold problem"):
            parts.held_out_of(corpus, ["fold0", "test"])

    def test_slices_are_taken_of_what_is_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(parts, "load_manifest", lambda name, corpus: make_manifest(corpus, name))
        marked = tuple(dataclasses.replace(p, fold=k % 5) for k, p in enumerate(problems()))
        found = parts.held_out_of(dataclasses.replace(small_corpus(), problems=marked), ["slice4", "fold0", "slice2"])
        assert [len(found[name]) for name in ("fold0", "slice4", "slice2")] == [5, 4, 6]
        assert len({problem.id for own in found.values() for problem in own}) == 15


def english(text: str) -> MappedText:
    return map_text(text, "en")


class TestOverlap:
    TESTED = english("A farmer plants 12 rows of 7 cabbages and then 30 lettuces. How many plants are there?")

    @pytest.mark.parametrize(
        ("text", "corpus", "found"),
        [
            ("a farmer plants five rows of 9 cabbages, and then 30 lettuces - how many plants are there", "b", "equal"),
            ("A farmer plants 5 rows of 9 cabbages and then 30 lettuces. How many plants are there?", "a", "equal"),
            ("The farmer plants 5 rows of 9 cabbages and then 30 lettuces. How many plants are there?", "b", "near"),
            ("The farmer plants 5 rows of 9 cabbages and then 30 lettuces. How many plants are there?", "a", "own"),
            ("She plants 12 rows of 7 cabbages and also 30 lettuces. How many are there in all?", "b", "near"),
            ("She plants 12 rows of 8 cabbages and also 30 lettuces. How many are there in all?", "b", None),
            ("How many plants are there?", "b", None),
            ("", "b", None),
        ],
    )
    def test_words_decide_and_numbers_where_they_are_the_same(self, text: str, corpus: str, found: str | None) -> None:
        assert HeldOutTexts([("a", self.TESTED)]).find(corpus, english(text)) == found

    def test_within_one_corpus_other_numbers_may_make_another_problem(self) -> None:
        tested = HeldOutTexts([("a", self.TESTED)], within="text")
        other = english(self.TESTED.text.replace("12", "13"))
        assert [tested.find("a", self.TESTED), tested.find("a", other), tested.find("b", other)] == [
            "equal",
            "own",
            "equal",
        ]

    def test_the_index_finds_what_a_plain_loop_finds(self) -> None:
        texts = [dataclasses.replace(map_text(problem.text, "en"), numbers=()) for problem in problems()]
        tested, learned = texts[::2], texts[1::2]
        for least in (0.1, 0.2, 0.4, 0.6, 0.9):
            index = HeldOutTexts([("a", text) for text in tested], least)
            documents = [index.document("a", text) for text in tested]
            for text in learned:
                weights = index.document("b", text).weights
                near = any(similarity(weights, one.weights) >= least for one in documents)
                equal = masked(text) in set(map(masked, tested))
                assert index.find("b", text) == ("equal" if equal else "near" if near else None)


def tree_of(text: str, equations: Sequence[str], unknowns: Sequence[str] = ()) -> str:
    problem = Problem("p", text, "en", tuple(equations), unknowns=tuple(unknowns))
    learned = prepare(problem, "raw", drop_unknown=True, level="ordered", form=one_form).learned
    assert learned is not None
    return str(learned)


class TestOneForm:
    @pytest.mark.parametrize("equation", ["x=5+7", "5+7=apples", "total = 7+5"])
    def test_arithmetic_leaves_its_unknown_out_whoever_wrote_it(self, equation: str) -> None:
        assert tree_of("Ann has 5 apples and buys 7", [equation]) == "+ N0 N1"

    def test_other_equations_stay(self) -> None:
        assert tree_of("4 times a number is 12", ["4*x=12"]) == "= * N0 x N1"

    @pytest.mark.parametrize(
        ("equations", "unknowns", "tree"),
        [
            (["(2*k+1)+(2*k+3)=56"], ["2*k+1", "2*k+3"], "; = + x y N0 = x + y 2"),
            (["(2*k+1)+(2*k+3)=56"], ["2*k+3"], "= - + x x 2 N0"),
            (["x+(x+1)=56"], ["x", "x+1"], "; = + x y N0 = x + y 1"),
            (["x+(x+1)=56"], ["x"], "= + + x x 1 N0"),
            (["a+b=56", "b=a+4"], ["a"], "= + x 4 - N0 x"),
            (["n=10*a+b", "a+b=56", "a=b"], ["n", "a", "b"], "; ; = + x y N0 = x y = z + x * 10 y"),
        ],
    )
    def test_unknowns_are_what_is_asked_for(self, equations: list[str], unknowns: list[str], tree: str) -> None:
        found = tree_of("An even sum is 56", equations, unknowns)
        assert found == tree
        assert len({symbol for symbol in found.split() if symbol.isalpha()}) == len(unknowns)

    def test_a_quotient_that_is_a_step_is_a_division(self) -> None:
        assert tree_of("174 miles in 3 hours, how far in 9?", ["x=(174/3)*9"]) == "/ * N0 N2 N1"
        assert tree_of("Of 16 eggs a quarter and more are gone", ["x=16*(3/8)"]) == "* 3/8 N0"

    @pytest.mark.parametrize("equation", ["x=30*20/100", "x=30*20*0.01", "x=30*(20/100)"])
    def test_a_percentage_is_one_number_however_it_is_written(self, equation: str) -> None:
        assert tree_of("30 eggs, of which 20 % are brown", [equation]) == "* N0 N1"

    def test_the_number_of_a_percentage_is_a_hundred_times_it(self) -> None:
        assert tree_of("Of 30 % sugar 20 % are gone, how many percent?", ["x=30-20"]) == "- * 100 N0 * 100 N1"

    def test_eliminating_keeps_the_answers(self) -> None:
        problem = Problem(
            "p", "Two consecutive odd integers have a sum of 56.", "en", ("(2*k+1)+(2*k+3)=56",),
            (Fraction(27), Fraction(29)), unknowns=("2*k+1", "2*k+3"),
        )  # fmt: skip
        one = prepare(problem, "raw", drop_unknown=True, level="ordered", form=one_form)
        assert one.learned is not None
        assert one.tree is not None
        assert agrees(problem, one.learned, one.numbers)
        assert not agrees(problem, one.tree, one.numbers)


@pytest.mark.parametrize(
    ("tree", "answers", "right"),
    [
        ("* N0 N1", [12], True),
        ("+ N0 N1", [12], False),
        ("/ N0 N1", [Fraction("1.33")], True),  # rounded
        ("= ^ x 2 N0", [-2], True),  # one root
        ("= ^ x 2 N0", [2, -2], True),  # all roots
        ("; = x N0 = y N1", [4], False),  # one unknown too many
        ("= x x", [4], False),
        ("* N0 N1", [], False),
    ],
)
def test_a_label_agrees_where_a_solution_is_annotated(tree: str, answers: list[int], right: bool) -> None:
    problem = Problem("p", "4 by 3", "en", (), tuple(map(Fraction, answers)))
    assert agrees(problem, Uet.from_text(tree), [Fraction(4), Fraction(3)]) == right


class TestConfiguration:
    def test_it_survives_the_round_trip(self, config: ExperimentConfig) -> None:
        assert parse_config(config_text(config)) == config
        assert config.mixture is not None
        assert config.mixture.sources == ("alg514", "mawps", "gsm8k")
        assert (config.mixture.checked, config.mixture.near, config.mixture.within) == (True, 0.8, "words")

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('name = "mixed"', 'name = "mixed"\ncorpus = "alg514"', r"or else the file a table \[mixture\]; both came"),
            ("sources", "source", "Did you mean sources"),
            ('"mawps", ', '"mwaps", ', "Did you mean mawps"),
            ('"mawps", ', '"hmwp", ', "is of language en; hmwp is zh"),
            ('"mawps", ', '"alg514", ', "names alg514 twice"),
            ('validation = ["mawps/slice3"]', 'validation = ["gsm8k/test"]', "names gsm8k/test twice"),
            ("alg514/fold0", "alg514", r"parts such as alg514/test or alg514/fold0; 'alg514' came"),
            ('language = "en"', 'language = "de"', "zh, en"),
            ('language = "en"', 'language = "en"\nnear = 0', "a similarity above 0"),
            ('language = "en"', 'language = "en"\nwithin = "numbers"', "words, text"),
            ('text = "raw"', 'test = "validation"', "leave division and test out"),
            ('model = "sau"', 'model = "retrieval"', r"\[mixture\] is for sau"),
        ],
    )
    def test_what_is_wrong_is_said_with_the_way_out(self, old: str, new: str, message: str) -> None:
        assert old in CONFIG
        with pytest.raises(SauError, match=message):
            parse_config(CONFIG.replace(old, new, 1))

    def test_an_experiment_needs_a_corpus_or_a_mixture(self) -> None:
        with pytest.raises(InputError, match=r"needs corpus, or else the file a table \[mixture\]; none came"):
            parse_config('[experiment]\nname = "a"\nmodel = "sau"\n')

    @pytest.mark.parametrize(
        "use",
        [lambda c: crossval_all([c]), gather, lambda c: evaluate(c, small_corpus())],
        ids=["crossval", "gather", "evaluate"],
    )
    def test_there_are_no_folds_to_cross_validate(
        self, config: ExperimentConfig, use: Callable[[ExperimentConfig], object]
    ) -> None:
        with pytest.raises(InputError, match=r"a mixture of alg514, mawps, gsm8k came; a mixture is trained with sau"):
            use(config)

    def test_a_fold_is_refused_in_training(self, config: ExperimentConfig, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"what is held out \(alg514/fold0, gsm8k/test\); leave --fold out"):
            TrainingRun(config, 0, 0, tmp_path).check(resume=False)

    def test_a_corpus_has_no_mixture(self) -> None:
        with pytest.raises(InputError, match=r"a table \[mixture\] was expected, the corpus alg514 came"):
            gather_mixture(load_config(CONFIGS / "paper/sau-alg514.toml"))


NETWORK = """
[sau]
embedding = 6
hidden = 8
minimum_word_count = 1
minimum_constant_count = 1

[training]
epochs = 1
batch = 8
device = "cpu"
"""


class TestTraining:
    def test_a_network_learns_from_the_mixture_and_remembers_it(self, data: Path, tmp_path: Path) -> None:
        config = parse_config(CONFIG + NETWORK)
        material = gather_mixture(config, data)
        run = TrainingRun(config, None, 0, tmp_path / "runs")
        assert train(run) == len(material.train)
        assert run.model == tmp_path / "runs" / "mixed" / "all-seed0" / "model"
        assert read_checkpoint(run.model).data == material.data
        assert train(run) == len(material.train)  # the same mixture: it is trained already

    def test_what_it_learned_from_is_not_tested(self, data: Path, tmp_path: Path) -> None:
        run = TrainingRun(parse_config(CONFIG + NETWORK), None, 0, tmp_path)
        train(run)
        with pytest.raises(InputError, match=r"trained on a mixture with mawps.*held out: alg514/fold0, gsm8k/test"):
            evaluate_trained(run.model, load("mawps", data))
        write(data, {"mawps": mawps()[3:]})
        with pytest.raises(InputError, match="trained on a mixture with mawps"):
            evaluate_trained(run.model, load("mawps", data))
        other = dataclasses.replace(small_corpus(), name="mine", problems=problems()[:2])
        assert evaluate_trained(run.model, other, beam=1).problems == 2


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "tested"),
    [
        ("shipped-zh", {"math23k/test": 1000, "hmwp/fold0": 1094}),
        ("shipped-en", {"alg514/fold0": 102, "draw1k/test": 200, "mawps/fold0": 474, "gsm8k/test": 1319}),
    ],
)
def test_the_shipped_mixtures_hold_their_parts_out(name: str, tested: dict[str, int]) -> None:
    config = load_config(CONFIGS / f"shipped/{name}.toml")
    assert config.mixture is not None
    if missing := set(config.mixture.sources) - set(available()):
        pytest.skip(f"not under SAU_DATA: {', '.join(sorted(missing))}")
    material = gather_mixture(config)
    assert {part: len(prepared) for part, prepared in material.test.items()} == tested
    assert not any(name.startswith("asdiv") for name in material.sources)  # a licence that forbids commercial use
    out = {
        (masked(one.text), values(one.text))
        for own in (*material.test.values(), *material.validation.values())
        for one in own
    }
    assert not out & {(masked(example.text), values(example.text)) for example in material.train}
    assert sum(len(example.tree.slots()) > 0 for example in material.train) > 0.99 * len(material.train)
    for counts in material.sources.values():
        assert counts.covered > 0.9 * counts.learned
