"""The built site in Chromium, as a learner uses it: its CDN is played by this machine, and nobody else is asked."""

import shutil
from types import SimpleNamespace

import pytest

from tests.loopback import internet, site_server
from tests.pyodide_parts import distribution

pytestmark = pytest.mark.slow
