"""Tasks on this machine: all are performed, only a few exist at a time, and one that fails costs nobody else's."""

import pytest

from autograder.grading.executors import NoCluster, cluster, local, perform_all


def work(number):
    """Square a number; 7 cannot be."""
    if number == 7:
        raise ValueError("seven")
    return number**2


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_has_its_outcome(jobs):
    outcomes = {task: (result, error) for task, result, error in perform_all(work, range(23), lambda: local(jobs))}
    assert sorted(outcomes) == list(range(23))
    assert outcomes.pop(7)[1].args == ("seven",)
    assert outcomes == {number: (number**2, None) for number in outcomes}


def test_tasks_are_taken_as_they_are_needed():
    taken = []

    def tasks():
        for number in range(40, 70):
            taken.append(number)
            yield number

    outcomes = perform_all(work, tasks(), lambda: local(1))
    next(outcomes)
    assert len(taken) <= 3
    outcomes.close()


@pytest.mark.exhaustive
def test_a_cluster_that_does_not_answer_is_told():
    with pytest.raises(NoCluster, match=r"tcp://127\.0\.0\.1:9"), cluster("tcp://127.0.0.1:9"):
        pass
