#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image: it installs the course from the copy beside this file.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
export AUTOGRADER_CACHE="$root/cache"

apt-get update
apt-get install --yes bubblewrap python3-venv
find_python() {
  for name in python3 python3.13 python3.12 python3.11; do
    if "$name" -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
}
python="$(find_python)"
if [ -z "$python" ]; then
  apt-get install --yes python3.12 python3.12-venv || apt-get install --yes python3.11 python3.11-venv
  python="$(find_python)"
fi
if [ -z "$python" ]; then
  echo "The course needs Python 3.11 or newer: choose a newer base image in Gradescope." >&2
  exit 1
fi
"$python" -m venv "$root/environment"
"$root/environment/bin/python" -m pip install --quiet --editable "$root/source/course[sandbox]"
cd "$root/source/course"
"$root/environment/bin/python" -m autograder.evaluation.ahead # or the first submissions would wait for it
"$root/environment/bin/course" sandbox || echo "No sandbox works while the image is built; see what the first test says."
