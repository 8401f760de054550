"""Right implementations in other styles than the reference, one module per unit."""
