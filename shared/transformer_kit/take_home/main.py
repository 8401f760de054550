"""From the command line of the file to one of its programs, and back."""

import sys


def main(programs, about, arguments=None):
    """Answer what was typed; without anything, go on asking.

    Parameters
    ----------
    programs : dict from str to callable
    about : str
        Is printed where somebody asks for help.
    arguments : list of str, optional
        Those of the command line when left out: the name of a program, if it is not the first, and words for it.

    Returns
    -------
    int
        The exit status.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if {"-h", "--help"}.intersection(arguments):
        told = [f"  {name:10} {program.__doc__.splitlines()[0]}" for name, program in programs.items()]
        print("\n".join([about, "", *told]))
        return 0
    name, words = next(iter(programs)), arguments
    if arguments and arguments[0] in programs:
        name, *words = arguments
    try:
        answer = programs[name]()
        if words:
            print(answer(words))
            return 0
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{programs[name].__doc__.splitlines()[0]} An empty line ends it.")
    return _asked(answer)


def _asked(answer):
    while True:
        try:
            words = input("> ").split()
        except (EOFError, KeyboardInterrupt):
            print()
            return 0
        if not words:
            return 0
        try:
            print(answer(words))
        except ValueError as error:
            print(error)
