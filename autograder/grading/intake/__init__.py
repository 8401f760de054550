"""What was handed in, out of folders, zips and damaged notebooks, in the form of the released ones."""
