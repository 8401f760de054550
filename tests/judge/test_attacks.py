"""No attack earns a point, has an effect, or costs the next learner one.

The attacks are data (tests/attacks). They really run, therefore only in a sandbox that passed its self-test; where the
machine has none, these tests are skipped.
"""

import subprocess
import sys

import numpy as np
import pytest

from autograder.execution.outcome import Outcome
from autograder.judge import view
from autograder.judge.pool import Worker
from autograder.judge.remote import RemoteRunner
from autograder.judge.sandbox import failures, self_test
from tests.attacks import ATTACKS, FAMILIES, WRONG
from tests.attacks.attack import START
from tests.attacks.poison import SEARCH
from tests.attacks.stage import Stage
from tests.attacks.trial import NAIVE, attempt, find, forget_peak, honest, peak, right
from tests.support import needs
from tests.support.sandboxed import landlock_alone

pytestmark = needs.linux
SECONDS, MEMORY = 25, 300 << 20
MARKUP = ("<script", "<img", "<iframe", "<h1", "<b o", "</h")


def first_of_each(names):
    """Return the names of the attacks that `make test` tries: the first quick one of every family."""
    quick = [name for name in names if not ATTACKS[name].slow]
    return {ATTACKS[name].family: name for name in reversed(quick)}.values()


def soon(names, chosen):
    """Return the names as parameters; those that are not chosen are tried by `make test-all` only."""
    return [name if name in chosen else pytest.param(name, marks=pytest.mark.exhaustive(minutes=2)) for name in names]




@pytest.fixture(scope="module")
def set_up():
    with Stage() as stage:
        yield stage


@pytest.fixture
def stage(set_up):
    set_up.forget()
    return set_up


@pytest.fixture(autouse=True)
def short_deadlines(monkeypatch):
    monkeypatch.setattr("autograder.judge.remote.SECONDS_FOR_CELLS", 4)
    monkeypatch.setattr("autograder.judge.remote.SECONDS_PER_EXERCISE", 8)


def attempt_soon_over(*args):
    """Try what is worth nothing if all goes well: then nothing is lost where a busy machine has no time left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.judge.remote.SECONDS_FOR_CELLS", 2)
        patch.setattr("autograder.judge.remote.SECONDS_PER_EXERCISE", 3)
        return attempt(*args)


def breaches(stage, trial):
    """Return what an attack has reached or printed that it must not, as sentences."""
    found = [f"it printed {line[:200]}" for line in trial.output.splitlines() if stage.token in line]
    found += stage.touched()
    found += [f"it took {trial.seconds:.1f} seconds"] * (trial.seconds > SECONDS)
    found += [f"the judge grew by {trial.growth >> 20} MiB"] * (trial.growth > MEMORY)
    page = trial.page.lower()
    return found + [f"the page holds {tag}" for tag in MARKUP if tag in page]


def test_there_are_attacks_of_every_kind():
    assert len(ATTACKS) == sum(len(family.ATTACKS) for family in FAMILIES)  # no two have one name
    assert len(ATTACKS) >= 250
    assert len({attack.family for attack in ATTACKS.values()}) >= 18
    for name, attack in ATTACKS.items():
        compile(attack.code, name, "exec")
        compile(attack.honest, name, "exec")


@pytest.mark.parametrize("name", soon(WRONG, ("softmax", "first_leak", "gelu", "cross_entropy")))
def test_the_functions_that_attacks_ride_on_earn_nothing(worker, stage, name):
    attack = next(attack for attack in ATTACKS.values() if attack.exercise == name)
    plain = (attack.start(stage.places), WRONG[name])
    assert attempt(worker, attack, plain).points == 0


@pytest.fixture(scope="module")
def worth(worker):
    """Return a function that measures what the cells in an attack's place are worth; equal cells only once."""
    measured = {}

    def points(attack, cells):
        key = attack.exercise, cells
        if key not in measured:
            measured[key] = attempt(worker, attack, cells).points
        return measured[key]

    return points


@pytest.mark.parametrize("name", soon(ATTACKS, first_of_each(ATTACKS)))
def test_an_attack_gains_nothing(worker, stage, worth, name):
    attack = ATTACKS[name]
    _, exercise = find(attack.unit, attack.exercise)
    control = worth(attack, attack.control(stage.places))
    assert control < exercise.points
    trial = (attempt if control else attempt_soon_over)(worker, attack, attack.cells(stage.places))
    assert breaches(stage, trial) == []
    assert trial.points <= control if attack.spoils else trial.points == control
    if not attack.defines:
        carried = attempt(worker, attack, attack.carried(stage.places, right(attack.unit)))
        assert breaches(stage, carried) == []
        assert attack.spoils or carried.points == exercise.points
    after = attempt(worker, attack, honest(attack, stage.places))
    assert breaches(stage, after) == []
    assert after.points == exercise.points


REHEARSAL = """
def rehearse():
    try:
        exec({code!r}, globals())
    except (NameError, AttributeError, TypeError, SyntaxError, IndexError, KeyError) as error:
        log.insert(0, "a slip of the pen: " + repr(error))
    return []


log += rehearse()


def {name}(*args, **kwargs):
    print(log, attempt, breach, succeeded, connection, peer, STAGE, np, os, types)
"""
ELSEWHERE = {"notebook"}  # their world is a notebook's kernel; see tests/grading/test_attacks_on_nbgrader.py


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", [n for n, a in ATTACKS.items() if not a.defines and a.family not in ELSEWHERE])
def test_an_attack_is_really_tried(worker, stage, name):
    """It fails, if it fails, because something stops it."""
    attack = ATTACKS[name]
    rehearsal = REHEARSAL.format(code=attack.code, name=attack.exercise)
    cells = (attack.start(stage.places), WRONG[attack.exercise], rehearsal)
    assert "a slip of the pen" not in attempt(worker, attack, cells).output


OF_THE_MACHINE = ("files", "network", "processes", "kernel", "poison", "resources")
MACHINE = [name for name, attack in ATTACKS.items() if attack.family in OF_THE_MACHINE]


@pytest.fixture(scope="module")
def inner():
    with landlock_alone() as backend:
        assert failures(self_test(backend)) == []
        with Worker(launch=backend.launch) as worker:
            yield worker


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", MACHINE)
def test_the_inner_layers_hold_alone(inner, stage, name):
    attack = ATTACKS[name]
    trial = attempt_soon_over(inner, attack, attack.cells(stage.places))
    assert breaches(stage, trial) == []
    assert trial.points == 0
    after = attempt(inner, attack, honest(attack, stage.places))
    assert breaches(stage, after) == []
    assert after.points == find(attack.unit, attack.exercise)[1].points


UNNEEDED = ["exit in a cell", "frames on every descriptor", "a loop in a cell that swallows everything"]


@pytest.mark.parametrize("name", soon(UNNEEDED, UNNEEDED[:1]))
def test_an_unneeded_cell_costs_nothing(worker, stage, name):
    attack = ATTACKS[name]
    assert attempt(worker, attack, attack.carried(stage.places, right(2))).points == find(2, "softmax")[1].points


# That the tests above would notice: the same attacks, where one wall at a time is taken away.

FOOL_A_NAIVE_CHECK = [
    "NumPy's assertions are replaced",
    "a thread replaces NumPy's comparisons again and again",
    "an object that equals everything",
    "a subclass of ndarray",
    "expected values are taken from the caller",
    "the caller's expected values are overwritten",
]


@pytest.mark.parametrize("name", soon(FOOL_A_NAIVE_CHECK, FOOL_A_NAIVE_CHECK[:2]))
def test_a_check_inside_the_process_would_be_fooled(worker, stage, name):
    attack = ATTACKS[name]
    control = attempt(worker, attack, (*attack.control(stage.places), NAIVE))
    assert control.points == 0
    assert attempt(worker, attack, (*attack.cells(stage.places), NAIVE)).points > 0


FOOL_A_CREDULOUS_JUDGE = ["answers ahead of time", "a status of its own", "JSON writes a verdict"]


@pytest.mark.parametrize("name", soon(FOOL_A_CREDULOUS_JUDGE, FOOL_A_CREDULOUS_JUDGE[:1]))
def test_a_judge_that_trusted_frames_would_be_fooled(worker, stage, monkeypatch, name):
    call = RemoteRunner.__call__

    def credulous(self, args, kwargs, measure_memory=False):
        outcome = call(self, args, kwargs, measure_memory)
        return Outcome("returned", self.exercise.reference(*args, **kwargs)) if self.ended == "forged" else outcome

    monkeypatch.setattr(RemoteRunner, "__call__", credulous)
    attack = ATTACKS[name]
    assert attempt(worker, attack, attack.control(stage.places)).points == 0
    assert attempt(worker, attack, attack.cells(stage.places)).points > 0


def test_a_view_with_the_reference_would_be_noticed(backend, stage):
    attack = ATTACKS["import from the kit"]
    with Worker(launch=backend.launch, build=lambda folder, unit: view.build(folder)) as open_worker:
        trial = attempt(open_worker, attack, attack.cells(stage.places))
    assert trial.points == find(2, "softmax")[1].points


def outside(stage, code, folder):
    """Run a harmless probe without a sandbox; it may touch nothing but the stage and the folder."""
    source = f"STAGE = {stage.places!r}\n{START}\n{code}\nprint(log)\n"
    command = [sys.executable, "-B", "-c", source]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


PROBES = {
    "canary is not what it was": 'open(os.path.join(STAGE["outside"], "canary"), "a").write("x")',
    "outside/new is not what it was": 'open(os.path.join(STAGE["outside"], "new"), "w").close()',
    "gradebook.db is not what it was": """
import sqlite3
database = sqlite3.connect(STAGE["gradebook"])
database.execute("UPDATE grade SET manual_score = 4")
database.commit()
""",
    "knocked: AF_INET": 'socket.create_connection(("127.0.0.1", STAGE["port"])).close(); time.sleep(0.1)',
    "knocked: AF_UNIX": 'socket.socket(socket.AF_UNIX).connect("\\0" + STAGE["abstract"]); time.sleep(0.1)',
    "knocked: b'leak'": """
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"leak", ("127.0.0.1", STAGE["port"]))
time.sleep(0.1)
""",
    "is alive": """
import subprocess
subprocess.Popen([STAGE["mark"], "2"], executable="/bin/sleep", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
""",
}


@pytest.mark.parametrize("effect", PROBES)
def test_an_effect_outside_the_sandbox_is_noticed(tmp_path, effect):
    with Stage() as stage:
        outside(stage, PROBES[effect], tmp_path)
        assert [sentence for sentence in stage.touched() if effect in sentence]


def test_a_dead_bystander_is_noticed():
    with Stage() as stage:
        stage.bystander.kill()
        stage.bystander.wait()
        assert stage.touched() == ["the bystander is dead"]


@pytest.mark.parametrize("place", ["secret", "other"])
def test_a_secret_that_is_read_is_noticed(stage, tmp_path, place):
    assert stage.token in outside(stage, f'log.append(open(STAGE["{place}"]).read())', tmp_path)


def test_what_is_left_for_the_next_is_noticed(stage, tmp_path):
    assert stage.token not in outside(stage, SEARCH, tmp_path)
    (tmp_path / "planted.py").touch()
    assert stage.token in outside(stage, SEARCH, tmp_path)


def test_memory_of_the_judge_is_noticed():
    before = forget_peak()
    np.ones(MEMORY // 8 + (10 << 20)).sum()
    assert peak() - before > MEMORY
