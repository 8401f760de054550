"""Grades functions that nobody here trusts: the judge asks, a worker process runs the learner's code and answers.

    evaluate(exercise, runner, seed)          the judge: claims, references, mistakes, expected values, seeds
      Worker, RemoteRunner (remote.py)        asks for calls, believes nothing, always returns an Outcome
        Server, Process (server.py)           a warm process over a view of the course (view.py), and its children
          Peer (protocol.py, values, npy)     frames of JSON and .npy over a socket pair, capped, never pickle
            worker.py                         the warm process, which forks one child per exercise
              child.py                        the learner's cells and function

Which layer guarantees what:

* The **protocol** guarantees that only plain values come back. A child never receives a claim, an expected value, a
  mistake, a seed, or the reference of the asked exercise or a later one, and no mark is read from anything it sends:
  whatever a learner's code does to its own process, the judge compares arrays in another one.
* The **view** guarantees that the asked functions cannot be imported: the worker sees a folder of copies that holds no
  reference module of the unit or of a later one, and nothing of the real packages is on its path. The earlier
  functions of the same unit come as source text with the order to begin (`view.lent`), so that every call stays in
  one process; the child of the exercise before did not have them.
* The **fork** guarantees that nothing passes on: each exercise has a process and a working folder of its own. The
  warm server never runs a learner's code, and ends all that a child left.
* The **sandbox** (sandbox/) guarantees the rest of the machine: that the real folders cannot be opened as files, that
  no other process can be read, traced or killed, that there is no network, and that memory, processes and files are
  limited. A child that cannot be confined runs nothing: `WorkerError`.
* The **kernel** tells how much memory a call needed: the most that a child of its own ever had, all the same when and
  by which program, read by the server when it is over. For this the sandbox denies new processes and keeps /proc
  read-only.
* What only the process itself can know is the process's own word: which arguments it changed or shares memory with,
  and its warnings. Forging these gains no more than a `copy` or an `errstate` in the function would, honestly.

How it ends is told by `RemoteRunner.ended`; the judge waits for no answer longer than its deadline, then the child is
killed. Cells run statement by statement, each with a short limit; when they end their process, or take too long all
together, a new child runs only what the function needs (autograder/reach.py).
"""
