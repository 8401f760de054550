"""Training runs that units 03, 07 and 10 show, recorded: `make record`."""
