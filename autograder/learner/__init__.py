"""What a learner uses: checks, the library of their own functions, their progress, and hints.

Library and progress lie in one folder, which `transformer_kit.workbench` finds; without it nothing is read or written.
"""
