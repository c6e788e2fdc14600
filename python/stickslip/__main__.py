"""python -m stickslip: the command line. It is the program that came with the package, or the one on the path."""

import os
import shutil
import sys
from pathlib import Path


def main() -> int:
    own = Path(__file__).parent / "bin" / "stickslip"
    program = str(own) if own.exists() else shutil.which("stickslip")
    if program is None:
        print("stickslip: the command line is not installed (Debian: stickslip)", file=sys.stderr)
        return 3
    # A script of the same name that calls this would call itself for ever.
    if os.environ.get("STICKSLIP_STARTED_BY") == str(os.getpid()):
        print(f"stickslip: {program} is not the command line", file=sys.stderr)
        return 3
    os.environ["STICKSLIP_STARTED_BY"] = str(os.getpid())
    os.execv(program, ["stickslip", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
