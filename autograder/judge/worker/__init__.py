"""What runs in the sandbox: a warm server, and the child that it forks for each exercise."""
