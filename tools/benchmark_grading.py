"""Grade a synthetic class with stock nbgrader and with `course grade`, in one run: `python -m tools.benchmark_grading`.

Both get the same notebooks, honest ones: right, unfinished and broken functions mixed. Printed are wall time and
processor time for each submission, where the time goes, the peak of memory, and how the time grows with the class.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import psutil

from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner, run
from autograder.grading.intake.take_in import Intake
from autograder.registry import units
from tools.course import ROOT
from tools.synthetic_class import STOCK, hand_in

UNITS = units()[1:4]
GROWTH = (10, 30, 100, 300)
MEBIBYTE = 2**20
CLEAN = "autograder.grading.isolation.server"  # the process that forks for each submission
JUDGE, FORK = "judge", "fork of the judge"
FORKING = (JUDGE, "warm sandboxes")


def synthetic_course(folder, units, n_students):
    """Copy the course and let a class hand in; return how many submissions there are."""
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part, folder / part)
    return hand_in(folder / "classroom" / "submitted", units, n_students)


@dataclass
class Measured:
    """What a command took: seconds on the wall and of the processor, bytes at the peak, and who used the processor."""

    printed: str
    wall: float
    cpu: float
    peak: int
    shares: dict


def measured(command, folder):
    """Run a command and measure it with all its descendants."""
    before, start = os.times(), time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    family = Family(process.pid)
    printed, complaint = process.communicate()
    wall, after = time.monotonic() - start, os.times()
    family.stop()
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}:\n{printed}{complaint}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    shares = family.shares()
    cpu = max(cpu, sum(shares.values()))  # the final times leave out processes that were killed
    return Measured(printed, wall, cpu, family.peak, shares)


class Family:
    """Watches a process and its descendants: their memory (shared pages counted once), and their processor time."""

    def __init__(self, pid):
        self.process, self.peak, self.used, self.over = psutil.Process(pid), 0, {}, threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self):
        while not self.over.wait(0.1):
            try:
                family = [self.process, *self.process.children(recursive=True)]
            except psutil.NoSuchProcess:
                return
            self.peak = max(self.peak, sum(map(self._memory, family)))

    def _memory(self, process):
        try:
            role, used = self._role(process), process.cpu_times()
            self.used[process.pid] = role, used.user + used.system, used.children_user + used.children_system
            return process.memory_full_info().pss
        except psutil.Error:
            return 0

    def _role(self, process):
        if process.pid == self.process.pid:
            return "intake, commit, report"
        if process.ppid() == self.process.pid:
            return JUDGE
        return FORK if CLEAN in process.cmdline() else "warm sandboxes"

    def stop(self):
        self.over.set()
        self.thread.join()

    def shares(self):
        """Return processor seconds by part; a fork of the judge, or of a sandbox's warm process, is its child."""
        shares = Counter()
        for role, own, children in self.used.values():
            if role != FORK:
                shares[role] += own
                shares["learners' processes" if role == "warm sandboxes" else role] += children * (role in FORKING)
        return shares


def stock(folder):
    """Grade with stock nbgrader."""
    (folder / "nbgrader_config.py").write_text(STOCK)
    nbgrader = Path(sys.executable).parent / "nbgrader"
    for unit in UNITS:
        measured([nbgrader, "generate_assignment", unit.id, "--force"], folder)
    runs = [measured([nbgrader, "autograde", unit.id], folder) for unit in UNITS]
    return Measured("", sum(r.wall for r in runs), sum(r.cpu for r in runs), max(r.peak for r in runs), {})


def course_grade(folder, jobs):
    """Grade with the course's engine."""
    return measured([sys.executable, "-m", "autograder.cli", "grade", "--json", "--jobs", str(jobs)], folder)


def by_itself(folder):
    """Return the processor seconds of the learners' cells and functions and of judging them, in this process alone."""
    start = time.process_time()
    for handed_in in Intake(folder / "classroom" / "submitted", folder):
        before_cells = time.process_time()
        submission = handed_in.take_in()
        start += time.process_time() - before_cells  # intake is not a part of it
        namespace = {"__name__": "submission", "display": lambda *_: None}
        for source in submission.code:
            run(lambda source=source, namespace=namespace: exec(source, namespace), (), {})
        unit = next(unit for unit in UNITS if unit.id == submission.unit)
        for exercise in unit.exercises:
            evaluate(exercise, LocalRunner(namespace.get(exercise.name), exercise.signature))
    return time.process_time() - start


def compare(n_students, jobs):
    """Print both sides."""
    with tempfile.TemporaryDirectory() as scratch:
        one, other = Path(scratch, "stock"), Path(scratch, "engine")
        count = synthetic_course(one, UNITS, n_students)
        synthetic_course(other, UNITS, n_students)
        print(f"{n_students} students, {len(UNITS)} units, {count} submissions; seconds for each submission:\n")
        alone, engine, other_side = by_itself(other), course_grade(other, jobs), stock(one)
        starts = [
            measured([sys.executable, "-c", f"import autograder.grading.{m}"], other)
            for m in ("commands", "verdicts.judging")
        ]
    sandbox = json.loads(engine.printed)["sandbox"]
    print(f"{'':40}{'wall':>8}{'cpu':>8}{'peak MiB':>10}")
    for name, side in (("nbgrader autograde", other_side), (f"course grade --jobs {jobs}, {sandbox}", engine)):
        print(f"{name:40}{side.wall / count:8.3f}{side.cpu / count:8.3f}{side.peak / MEBIBYTE:10.0f}")
    print(f"{'cells and claims in one process, no more':40}{'':8}{alone / count:8.3f}")
    judging = engine.shares["judge"] + engine.shares["learners' processes"]
    print(f"\nWall time: {other_side.wall / engine.wall:.1f} times less with course grade.")
    print(f"Processor time: {other_side.cpu / engine.cpu:.1f} times less; it is")
    print(f"{engine.cpu / judging:.2f} times that of the learners' processes and of judging them.\n")
    print("Where the processor time of `course grade` goes, seconds in all:")
    for name, seconds in engine.shares.items():
        print(f"  {name:32}{seconds:8.2f}")
    imports = starts[0].cpu + jobs * starts[1].cpu
    print(f"  (of these, imports of the own processes{imports:8.2f})")


def growth(jobs, sizes):
    """Print how the time grows with the class, one unit."""
    print("\nGrowth, one unit:")
    for n_students in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            synthetic_course(Path(scratch), UNITS[1:2], n_students)
            side = course_grade(Path(scratch), jobs)
        print(
            f"  {n_students:4} students {side.wall:8.1f} s, {side.wall / n_students:.3f} s each, "
            f"{side.peak / MEBIBYTE:.0f} MiB at the peak"
        )


def main():
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--growth", type=int, nargs="*", default=GROWTH, help="sizes of classes")
    options = parser.parse_args()
    os.environ.update({f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")})
    compare(options.students, options.jobs)
    growth(options.jobs, options.growth)


if __name__ == "__main__":
    main()
