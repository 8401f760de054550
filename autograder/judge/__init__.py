"""Grades functions that nobody here trusts: the judge asks for calls, and a worker process runs the learner's code.

    evaluate(exercise, runner, seed)            the judge: claims, references, mistakes, expected values, seeds
      remote.py: RemoteRunner                   requests calls, trusts no reply (replies.py), always returns an Outcome
      pool.py: Worker                           keeps servers warm, and has them fork a child per exercise
        server.py: Server, Process              a warm process over a view of the course (view.py), and its children
          wire/protocol.py: Channel, Peer       frames of JSON and .npy over a socket pair, capped, never pickle
            worker/serve.py                     the warm process, which forks one child per exercise
              worker/child.py: Child            the learner's cells and function

seeds.py derives the seed of every submission from the course's secret; wire/values.py and wire/npy.py encode values.

Which layer guarantees what:

* The **protocol** guarantees that only plain values come back. A child never receives a claim, an expected value, a
  mistake, a seed, or the reference of the exercise at hand or of a later one, and no mark is read from anything that it
  sends: whatever a learner's code does to its own process, the judge compares arrays in another one. A claim's own
  functions can be called back, with what the exercise declares of them (`autograder.execution.handed`).
* The **view** guarantees that the unit's own functions cannot be imported, under whichever name: the worker sees a
  folder with what functions need of the kit, without the reference modules of the unit and of later ones, and
  stand-ins for the rest (kit.py); nothing of the real packages is on its path. The earlier functions of the same unit
  are sent as source text when a child begins (`view.substitutes`), so that every call stays in one process; the child
  of the previous exercise did not have them.
* The **fork** guarantees that nothing carries over: each exercise has a process and a working folder of its own. The
  warm server never runs a learner's code, and ends everything that a child leaves behind.
* The **sandbox** (sandbox/) protects the rest of the machine: the real folders cannot be opened as files, no other
  process can be read, traced or killed, there is no network, and memory, processes and files are limited. A child that
  cannot be confined runs nothing: `WorkerError`.
* The **kernel** measures how much memory a call needed: the peak of a child of its own, whenever and in whichever
  program it was reached, which the server reads when the child has ended. For this the sandbox forbids new processes
  and keeps /proc read-only.
* What only the process itself can know is taken on its word: which arguments it changed or shares memory with, and its
  warnings. Forging these gains no more than an honest `copy` or `errstate` in the function would.

`RemoteRunner.ended` says how a child ended; the judge waits for no answer beyond its deadline, then the child is
killed. Cells run statement by statement, each with a short limit; when they end their process, or take too long all
together, a new child runs only what the function needs (autograder/execution/dependencies.py).
"""
