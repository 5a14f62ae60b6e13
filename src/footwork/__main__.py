"""``python -m footwork`` is the command ``footwork``."""

import sys

from footwork.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
