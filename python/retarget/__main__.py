"""The command line: `retarget` and `python -m retarget`."""

import sys

from ._retarget import _run


def main() -> None:
    """Runs the command line with this process's arguments and ends with its exit code."""
    sys.exit(_run(["retarget", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
