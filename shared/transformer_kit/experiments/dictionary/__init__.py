"""How good the dictionary is."""
