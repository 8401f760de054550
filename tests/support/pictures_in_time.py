"""The pictures of training runs, to look at: those that are recorded, and one that is run here."""

from transformer_kit import reference
from transformer_kit.experiments.corners import learn_a_curve
from transformer_kit.pictures import corners, leaking_runs, training_film, training_runs
from transformer_kit.trained.recorded import load_recording

LEAKING, NORMS, FILM = (load_recording(name) for name in ("leaking", "norms", "film"))
LEARNING = learn_a_curve(reference.position_wise_ffn, reference.ffn_backward)
IN_TIME = {
    "corners": corners(LEARNING),
    "norms": training_runs(NORMS),
    "film": training_film(FILM),
    "leaking": leaking_runs(LEAKING),
}
