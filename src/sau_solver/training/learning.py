"""Train solvers on examples. Vocabulary, target symbols and initial weights come from the training examples only.

A task may have a folder with checkpoints/ to resume from, logs/ for TensorBoard, and model/ for the trained solver.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from sau_solver.errors import CheckpointError, InputError
from sau_solver.files import make_folder
from sau_solver.models.base import Example
from sau_solver.models.checkpoint import (
    Checkpoint,
    Checkpoints,
    check_shapes,
    load_predictor,
    read_checkpoint,
    write_checkpoint,
)
from sau_solver.models.devices import find_device
from sau_solver.models.encoders.pretrained import PretrainedEncoder
from sau_solver.models.network import Network, common_targets
from sau_solver.models.options import NetworkOptions
from sau_solver.models.predictor import NetworkPredictor, predictor_class
from sau_solver.models.targets import EncodedProblem, Targets
from sau_solver.training.first_weights import continued, seeded, started_from
from sau_solver.training.masked_words import learn_masked_words
from sau_solver.training.processes import ALONE, Processes
from sau_solver.training.trainer import EpochReport, Report, Snapshot, Trainee, Trainer
from sau_solver.training.training_options import WITHOUT_EFFECT, TrainingOptions

Solver = NetworkPredictor[Any]

_KEPT = 2  # checkpoints per task: stacked networks are saved one by one, and resume from an epoch that all have
_NAMED = 4  # the most settings that an error message lists


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """A solver to train: its examples, options and seed, and the folder for its files."""

    name: str
    examples: Sequence[Example]
    options: NetworkOptions
    seed: int
    folder: Path | None = None
    data: dict[str, Any] = field(default_factory=dict)  # the description of the data in checkpoints

    def learned(self) -> list[Example]:
        """Return the examples whose trees the network can write, with the trees in its own form."""
        forms = [(example, self.options.expressed(example.tree)) for example in self.examples]
        return [example if form is example.tree else replace(example, tree=form) for example, form in forms if form]

    @property
    def model_folder(self) -> Path | None:
        """Return the folder of the trained solver."""
        return self.folder / "model" if self.folder else None

    @property
    def checkpoints(self) -> Checkpoints | None:
        """Return the checkpoints from which an interrupted training resumes."""
        return Checkpoints(self.folder / "checkpoints", _KEPT) if self.folder else None


def learn(
    tasks: Sequence[TrainingTask],
    training: TrainingOptions,
    report: Report | None = None,
    resume: bool = False,
    keep: bool = True,
    processes: Processes = ALONE,
) -> list[Solver]:
    """Train a solver per task: on a GPU all at once, on a CPU one after the other. `keep` writes them to model/.

    Several processes can train one solver together. The first one alone reports, and reads and writes the folder.
    """
    device = find_device(training.device)
    if device.type != "cuda" and len(tasks) > 1:
        return [solver for task in tasks for solver in learn([task], training, report, resume, keep, processes)]
    learned = [task.learned() for task in tasks]
    teachers = [load_predictor(started_from(folder), "cpu") for folder in training.teachers]
    if training.start:
        trained = load_predictor(started_from(training.start), "cpu")
        words_of = teachers[0] if teachers else trained
        solvers = [continued(task.options, task.seed, trained, words_of, training) for task in tasks]
    else:
        targets = common_targets(
            [
                Targets.build([example.tree for example in examples], task.options.minimum_constant_count)
                for task, examples in zip(tasks, learned, strict=True)
            ]
        )
        solvers = [_fresh(task, target) for task, target in zip(tasks, targets, strict=True)]
    encoded = _encoded(learned, solvers)
    if training.masked_epochs and not (
        resume and all(task.checkpoints and task.checkpoints.latest() for task in tasks)
    ):
        _learn_masked_words(tasks, solvers, encoded, training, report if processes.first else None)
    _check_teachers(training, teachers, solvers)
    weighed = [[example.weight for example in examples] for examples in learned]
    trainees = [
        Trainee(
            task.name,
            solver.network,
            problems,
            task.seed,
            _saver(task, solver, training) if processes.first else None,
            weights,
        )
        for task, solver, problems, weights in zip(tasks, solvers, encoded, weighed, strict=True)
    ]
    networks: list[Network[Any]] = [teacher.network for teacher in teachers]
    trainer = processes.agreed(lambda: Trainer(trainees, training, device, networks, processes))
    if resume and (found := processes.agreed(lambda: _snapshots_of_first(tasks, trainees, training, processes))):
        trainer.resume(found)
    with ExitStack() as logs:
        trainer.train(_logged(tasks, logs, report, trainer.epoch) if processes.first else None)
    if keep and processes.first:
        for task, solver in zip(tasks, solvers, strict=True):
            if task.model_folder and task.checkpoints:
                task.checkpoints.remove_leftovers()  # of a process that was killed after its last checkpoint
                write_checkpoint(_checkpoint(task, solver, {"epochs": training.epochs}, training), task.model_folder)
    return solvers


def device_name(training: TrainingOptions) -> str:
    """Return the name of the training's device for results: "cpu" or the name of the GPU."""
    device = find_device(training.device)
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"


def check_settings(checkpoint: Checkpoint, task: TrainingTask, training: TrainingOptions) -> None:
    """Raise CheckpointError if a checkpoint was trained with other settings or other data than this task's."""
    was = _settings(checkpoint.model, checkpoint.data, task.options)
    now = _settings(_describe_settings(task, training), task.data, task.options)
    other = [
        f"{name} was {was.get(name)!r} and is {now.get(name)!r}"
        for name in dict.fromkeys([*was, *now])
        if was.get(name) != now.get(name)
    ]
    if other:
        more = f" and {len(other) - _NAMED} more" if len(other) > _NAMED else ""
        raise CheckpointError(
            f"{task.folder} contains a training with other settings: {'; '.join(other[:_NAMED])}{more}. "
            "Restore the settings, remove the folder, or give the experiment another name."
        )


def _describe_settings(task: TrainingTask, training: TrainingOptions) -> dict[str, Any]:
    return {"options": asdict(task.options), "training": training.described(), "seed": task.seed}


def _settings(model: Mapping[str, Any], data: Mapping[str, Any], like: NetworkOptions) -> dict[str, Any]:
    """Return all settings that affect the trained weights, under the names that error messages use."""
    # An option that is newer than the checkpoint had the value that is now its default.
    options = asdict(type(like)()) | model.get("options", {})
    training = TrainingOptions().described() | model.get("training", {})
    return {
        **{f"[{like.model}] {name}": value for name, value in options.items()},
        **{f"[training] {name}": value for name, value in training.items() if name not in WITHOUT_EFFECT},
        "seed": model.get("seed"),
        **data,
    }


def _fresh(task: TrainingTask, targets: Targets) -> Solver:
    with seeded(task.seed):
        return predictor_class(type(task.options)).fresh(task.learned(), targets, task.options)


def _learn_masked_words(
    tasks: Sequence[TrainingTask],
    solvers: Sequence[Solver],
    encoded: Sequence[Sequence[EncodedProblem]],
    training: TrainingOptions,
    report: Report | None,
) -> None:
    """Let the encoders of new networks guess masked words of the training texts; seeds of one task share the result."""
    device = find_device(training.device)
    known: dict[int, PretrainedEncoder] = {}
    for task, solver, problems in zip(tasks, solvers, encoded, strict=True):
        encoder = getattr(solver.network, "encoder", None)
        if not isinstance(encoder, PretrainedEncoder):
            raise InputError("[training] masked_epochs needs a pretrained encoder. Name one in [sau], or remove it.")
        if (same := known.get(id(problems))) is not None:
            encoder.pretrained.load_state_dict(same.pretrained.state_dict())
            continue
        known[id(problems)] = encoder
        encoder.pretrained.to(device)
        texts = [problem.words for problem in problems]
        learn_masked_words(encoder.pretrained, texts, training, task.seed, report, f"{task.name}, masked words")
        encoder.pretrained.to("cpu")


def _check_teachers(training: TrainingOptions, teachers: Sequence[Solver], solvers: Sequence[Solver]) -> None:
    """Raise InputError unless the teachers read and write the same ids as the new networks."""
    for folder, teacher in zip(training.teachers, teachers, strict=True):
        known = teacher.vocabulary, teacher.network.targets
        for solver in solvers:
            if type(teacher) is not type(solver) or known != (solver.vocabulary, solver.network.targets):
                raise InputError(
                    f"[training] teachers must have learned from the same data as the network, got {folder}. "
                    "Train that network with the same sources and the same text, or remove it."
                )


def _encoded(learned: Sequence[Sequence[Example]], solvers: Sequence[Solver]) -> list[list[EncodedProblem]]:
    """Encode the examples of each task; tasks that differ only in seed or alignment share one encoding."""
    known: dict[object, list[EncodedProblem]] = {}
    encoded = []
    for examples, solver in zip(learned, solvers, strict=True):
        same = (id(example.text) for example in examples), (example.tree for example in examples)
        key = (type(solver), solver.network.targets, solver.vocabulary, *map(tuple, same))
        if key not in known:
            known[key] = [solver.encode(example) for example in examples]
        encoded.append(known[key])
    return encoded


def _checkpoint(
    task: TrainingTask, solver: Solver, progress: dict[str, Any], training: TrainingOptions, at: Snapshot | None = None
) -> Checkpoint:
    model, vocabulary = solver.describe()
    return Checkpoint(
        model | _describe_settings(task, training),
        task.data,
        progress,
        vocabulary,
        at.weights if at else dict(solver.network.state_dict()),
        at.state if at else {},
    )


def _saver(task: TrainingTask, solver: Solver, training: TrainingOptions) -> Callable[[Snapshot], None] | None:
    checkpoints = task.checkpoints
    if checkpoints is None:
        return None

    def save(at: Snapshot) -> None:
        progress = {"epoch": at.epoch, "steps": at.steps}
        checkpoints.write(_checkpoint(task, solver, progress, training, at), at.epoch, at.steps)

    return save


def _snapshots_of_first(
    tasks: Sequence[TrainingTask], trainees: Sequence[Trainee], training: TrainingOptions, processes: Processes
) -> list[Snapshot] | None:
    """Return the snapshots to resume from in the first process, which gives its state to the others."""
    return _common_snapshots(tasks, trainees, training) if processes.first else None


def _common_snapshots(
    tasks: Sequence[TrainingTask], trainees: Sequence[Trainee], training: TrainingOptions
) -> list[Snapshot] | None:
    """Return the snapshots of the newest epoch that every task has saved, and delete newer checkpoints."""
    kept = [task.checkpoints for task in tasks]
    if not all(kept):
        return None
    saved = [{path.name: path for path in own.all()} for own in kept if own]
    common = [name for name in saved[0] if all(name in own for own in saved)]  # the oldest first
    snapshots = []
    for task, trainee, own in zip(tasks, trainees, saved, strict=True):
        if not own:
            continue
        place = own[common[-1]] if common else next(reversed(own.values()))
        checkpoint = read_checkpoint(place, with_state=True)
        check_settings(checkpoint, task, training)
        check_shapes(checkpoint.weights, {name: value.shape for name, value in trainee.network.state_dict().items()})
        progress = checkpoint.progress
        snapshots.append(Snapshot(progress["epoch"], progress["steps"], checkpoint.weights, checkpoint.state))
    for checkpoints, own in zip(kept, saved, strict=True):
        if checkpoints:
            checkpoints.drop_after(own[common[-1]] if common else None)
    return snapshots if common else None


def _logged(tasks: Sequence[TrainingTask], logs: ExitStack, report: Report | None, epoch: int) -> Report:
    """Return a report function that also writes TensorBoard logs if tensorboard is installed and a task has a folder.

    Log entries after the epoch from which an interrupted training resumes are purged.
    """
    writers: dict[str, Any] = {}
    if importlib.util.find_spec("tensorboard"):
        from torch.utils.tensorboard.writer import SummaryWriter

        for task in tasks:
            if task.folder:
                make_folder(task.folder / "logs")  # on disk, too: the checkpoints go into the same folder
                writers[task.name] = SummaryWriter(str(task.folder / "logs"), purge_step=epoch + 1 if epoch else None)
                logs.callback(writers[task.name].close)

    def report_and_log(epoch: EpochReport) -> None:
        if (writer := writers.get(epoch.run)) and not epoch.part:
            for name in ("loss", "accuracy", "alignment", "rate", "problems_per_second"):
                writer.add_scalar(name, getattr(epoch, name), epoch.epoch)
        if report:
            report(epoch)

    return report_and_log
