"""What is served to a browser."""

from collections.abc import Generator

import pytest

from footwork.cli.serving import serve


def test_it_says_where_it_serves_and_ends_with_ctrl_c(capsys: pytest.CaptureFixture[str]) -> None:
    def pictures() -> Generator[str, None, None]:
        yield "http://127.0.0.1:1"
        yield "a picture"
        raise KeyboardInterrupt

    serve("g1", pictures())
    assert capsys.readouterr().out == "g1 at http://127.0.0.1:1  (Ctrl-C ends)\nstopped\n"
