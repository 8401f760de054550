"""What people read: a page for each learner, and the class at a glance."""
