"""`python -m sau_solver.cli` and `torchrun -m sau_solver.cli`, the same as `sau`."""

from sau_solver.cli import main

if __name__ == "__main__":
    main()
