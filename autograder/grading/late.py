"""A penalty for lateness beside nbgrader's own two, which are none and all."""

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

DAY = 86400  # seconds


class PercentPerDay(LateSubmissionPlugin):
    """Takes the same share of the points for every day that has begun."""

    percent = Float(10, help="of the points that were reached, for every day that has begun").tag(config=True)
    grace_minutes = Float(0, help="after the due date, in which nothing is lost").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Return the points that are lost."""
        days = math.ceil((total_seconds_late - 60 * self.grace_minutes) / DAY)
        return score * min(max(days, 0) * self.percent / 100, 1)
