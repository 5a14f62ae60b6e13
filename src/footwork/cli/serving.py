"""Something served to a browser until Ctrl-C."""

from collections.abc import Generator


def serve(name: str, pictures: Generator[str, None, None]) -> None:
    """Say where something is served, and go on until Ctrl-C.

    Args:
        name: Of what is served.
        pictures: Yields the address first, then something after each picture.
    """
    print(f"{name} at {next(pictures)}  (Ctrl-C ends)")
    try:
        for _ in pictures:
            pass
    except KeyboardInterrupt:
        pictures.close()
        print("stopped")
