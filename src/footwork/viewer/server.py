"""A viser server for one block: on 127.0.0.1, quiet, and gone at the end."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

from footwork.errors import BackendError


@contextmanager
def view_server(port: int = 0) -> Iterator[Any]:
    """Run a viser server on 127.0.0.1 until the block ends.

    Args:
        port: To serve on; the next free one from there on is taken, any free one for 0.

    Yields:
        The server; ``get_port()`` tells its port.

    Raises:
        BackendError: If it cannot be started.
    """
    import viser

    try:
        with redirect_stdout(StringIO()):  # its banner
            server = viser.ViserServer(host="127.0.0.1", port=port or _free_port(), verbose=False)
    except OSError as error:
        raise BackendError(
            f"no server can be started on port {port} ({error}); choose another"
        ) from error
    try:
        yield server
    finally:
        with redirect_stdout(StringIO()):
            server.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
