"""A file is written whole or not at all."""

import os

import pytest

from autograder.whole_file import DRAFTS, replacing, write_atomically


@pytest.fixture(params=[True, False], ids=["over an old file", "where there is none"])
def path(request, tmp_path):
    """A path where a file may be, in a folder of its own."""
    path = tmp_path / "a folder" / "file.txt"
    if request.param:
        path.parent.mkdir()
        path.write_bytes(b"old")
    return path


def contents(folder):
    """Return the bytes of every file in a folder, by name; empty without a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.exists() else {}


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"\0\xff\r\n", b"\0\xff\r\n"), ("one\ntwo\r\n\u00e9", b"one\ntwo\r\n\xc3\xa9"), ("", b"")],
)
def test_bytes_and_text_arrive_as_they_are(path, content, expected):
    write_atomically(path, content)
    assert contents(path.parent) == {"file.txt": expected}


def refuse(*args):
    raise OSError("the disk is full")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_error_midway_leaves_the_old_file(path, monkeypatch, step):
    before = contents(path.parent)
    monkeypatch.setattr(os, step, refuse)
    with pytest.raises(OSError, match="the disk is full"):
        write_atomically(path, "new")
    assert contents(path.parent) == before


def test_text_that_cannot_be_encoded_changes_nothing(path):
    before = contents(path.parent)
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "half a character: \ud800")
    assert contents(path.parent) == before


def test_an_interrupt_leaves_the_old_file(path):
    before = contents(path.parent)

    def interrupted():
        with replacing(path) as draft:
            draft.write_bytes(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert contents(path.parent) == before


def test_an_unmade_draft_is_no_second_error(path):
    before = contents(path.parent)
    with pytest.raises(FileNotFoundError), replacing(path):
        pass
    assert contents(path.parent) == before


def test_new_content_is_on_disk_before_replacing(path, monkeypatch):
    steps = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *args, name=name, real=real: steps.append(name) or real(*args))
    write_atomically(path, "new")
    assert steps == ["fsync", "replace"]


def test_remains_of_a_killed_process_are_found(path):
    with replacing(path) as draft:
        draft.write_bytes(b"new")
        assert list(path.parent.glob(DRAFTS)) == [draft]
    assert list(path.parent.glob(DRAFTS)) == []
