"""Work on what was handed in, each piece in a process of its own, forked from a clean one.

client.py: ForkServer    starts the clean process, and asks it for one piece of work at a time
  server.py              forks for each piece: limits of time and memory, and an answer in JSON
operations.py            the kinds of work

Whatever one submission does to the process that looks at it, no other submission is ever looked at in that process.
The clean process itself never sees a submission: the piece of work goes straight to the fork.
"""
