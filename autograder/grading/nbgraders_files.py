"""The files that nbgrader itself puts beside a submission: nobody has written them, so nobody is told of them."""

TIMESTAMP = "timestamp.txt"  # when it was handed in
SECRET = "submission_secret.txt"  # with which its sender may fetch the feedback
NBGRADERS = (TIMESTAMP, SECRET)
