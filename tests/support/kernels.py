"""A notebook run from its first cell to its last in a kernel of its own."""

from nbclient import NotebookClient
from traitlets.config import Config

from tools.kernels import connection

SECONDS_PER_CELL = 120  # unit 10 trains a model, which takes 10 seconds on a machine that has nothing else to do


def execute(nb, folder, **settings):
    """Run a notebook in a folder and return it with its outputs; errors are outputs, too.

    Parameters
    ----------
    nb : NotebookNode
        Changed in place.
    folder : path
        Where the kernel starts.
    **settings
        Passed on to the kernel's process, e.g. `env`.
    """
    with connection() as chosen:
        client = NotebookClient(
            nb,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            allow_errors=True,
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            config=Config(KernelManager=chosen),
        )
        return client.execute(**settings)
