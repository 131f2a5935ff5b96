"""`python -m pbem` is `pbem`."""

from pbem.cli.main import app

if __name__ == "__main__":
    app(prog_name="pbem")
