"""The learner's bench: the own library, the progress, and the hints that wait.

All of it lies in one folder, which `transformer_kit.workbench` finds; without a folder nothing is read or written.
"""
