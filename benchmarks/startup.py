"""What a command costs before it does anything, as a multiple of a bare ``python -c pass``.

Aims: ``kavor --help`` under 8, ``kavor next`` under 12. Usage: python benchmarks/startup.py [ROUNDS]
"""

from __future__ import annotations

import subprocess
import sys
import time

COMMANDS = {
    "python -c pass": ([sys.executable, "-c", "pass"], None),
    "kavor --help": ([sys.executable, "-m", "kavor", "--help"], 8),
    "kavor --version": ([sys.executable, "-m", "kavor", "--version"], 8),
    "kavor next": ([sys.executable, "-m", "kavor", "next", "0 9 * * 1-5", "--zone", "Europe/Berlin"], 12),
}


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    best = {name: float("inf") for name in COMMANDS}
    for _ in range(rounds):  # in turn, so that a busy moment of the machine falls on all alike
        for name, (command, _) in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            best[name] = min(best[name], time.perf_counter() - start)
    bare = best["python -c pass"]
    print(f"{'command':<18} {'best ms':>8} {'ratio':>6} {'aim':>5}")
    missed = 0
    for name, (_, aim) in COMMANDS.items():
        ratio = best[name] / bare
        missed += aim is not None and ratio > aim
        print(f"{name:<18} {best[name] * 1000:8.1f} {ratio:6.1f} {aim or '':>5}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
