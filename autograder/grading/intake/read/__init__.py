"""Reads a notebook from bytes in any state. Nothing in it is run.

cells.py: read       from the bytes to cells, with a sentence on everything that had to be repaired
  decoding.py        from the bytes to a text, unless they are something else than a notebook
  lenient_json.py    from the text to cells, as far as they are intact
unit.py: unit_in     the unit that cells belong to
source.py: Source    what the source of a cell binds, changes and uses
  bindings.py        the same for one statement, by Python's rules of scope
"""
