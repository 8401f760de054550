"""The command `course`: a learner's JupyterLab and progress; a class's grading and report; this machine's sandbox."""

import argparse
import os
import sys
import time

from autograder.arguments import afterwards, deciding, founding, grading, learners, recipes, single
from autograder.file_errors import told

DESCRIPTION = """\
The building blocks of the Transformer: what learners and instructors need beside the notebooks.
Run it anywhere in the course's folder. `course grade --help` explains the options.
"""
LAB = "open the course in JupyterLab; what follows is for JupyterLab, such as --no-browser"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser("course", description=DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    commands.add_parser("lab", help=LAB, add_help=False)
    learners.add(commands)
    founding.add(commands)
    deciding.add(commands)
    grading.add(commands)
    single.add(commands)
    afterwards.add(commands)
    recipes.add(commands)
    grading.add_sandbox_command(commands)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["lab"]:  # its options belong to JupyterLab
        from autograder.learner.terminal import lab

        lab.main(arguments[1:])
        return 0
    os.environ["PYTHONSAFEPATH"] = "1"  # no process imports from the current folder, where submissions may lie
    options = parser().parse_args(arguments, argparse.Namespace(started=time.monotonic()))  # before slow imports
    # With this optional package jsonschema spends a second on grammars for addresses, which no notebook holds.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    actions, expected = _learners() if options.command in learners.NAMES else _instructors()
    try:
        return actions[options.command](options)
    except BrokenPipeError:  # such as `course ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except expected as error:  # among them the system's errors, of which the one above is one
        print(f"course {options.command}: {told(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command to go on; what is done stays done.", file=sys.stderr)
        return 130


def _learners():
    """Return the actions of a learner's commands, and the errors that are reported as a sentence."""
    from autograder.learner.terminal import commands

    actions = {"progress": commands.show_progress, "reset": commands.reset_unit}
    return actions | {"export-library": commands.export_library}, commands.EXPECTED


def _instructors():
    """Return the actions of an instructor's commands, and the errors that are reported as a sentence."""
    from autograder.grading import adding, afterwards, commands, deciding, exporting, single  # nbgrader comes with it
    from autograder.grading.recipes import write

    actions = {"grade": commands.grade, "report": commands.rewrite_report, "sandbox": commands.show_sandbox}
    actions |= {
        "judge": single.judge_notebooks,
        "init": afterwards.init_course,
        "update": afterwards.update_course,
        "own": adding.add_own,
        "set": deciding.set_one,
        "edition": afterwards.make_edition,
        "export": exporting.export_points,
        "tick": afterwards.tick_off,
        "show": afterwards.show_student,
        "forget": afterwards.forget_student,
        "archive": afterwards.archive_term,
        "recipe": write.write_recipe,
    }
    return actions, commands.EXPECTED


if __name__ == "__main__":
    sys.exit(main())
