"""An IMAP server in Python, for machines without Dovecot: python -m tests.pymap_server DIRECTORY IMAP IMAPS PEM

The user of a Maildir in the directory is made known with `add_user`; every password is `secret`.
"""

import asyncio
import sys
from argparse import Namespace
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from proxyprotocol.reader import ProxyProtocolReader
from pymap.backend.maildir import Config, Login, MaildirBackend
from pymap.imap import IMAPServer
from pysasl.hashing import BuiltinHash

PASSWORD = "secret"
CHEAP = BuiltinHash(rounds=1)


def add_user(directory: Path, name: str) -> None:
    lines = {"passwd": f"{name}:x::::{name}:", "shadow": f"{name}:{CHEAP.hash(PASSWORD)}:::::::"}
    for file, line in lines.items():
        with (directory / f"pymap-etc-{file}").open("a") as known:
            known.write(f"{line}\n")


async def serve(directory: str, imap: int, imaps: int, pem: str) -> None:
    options: dict[str, Any] = {"host": "127.0.0.1", "port": imap, "debug": False, "tls": True, "cert": pem, "key": pem}
    more: dict[str, Any] = {"base_dir": directory, "layout": "++", "colon": None, "concurrency": 4}
    args = Namespace(**options, **more, passlib_cfg=None, proxy_protocol=None, inherited_sockets=None)
    config = Config.from_args(args, hash_context=CHEAP, invalid_user_sleep=0.0)
    config.apply_context()
    backend = MaildirBackend(Login(config), config)
    answer = ProxyProtocolReader(config.proxy_protocol).get_callback(IMAPServer(backend.login, config))
    async with AsyncExitStack() as stack:
        await backend.start(stack)
        plain = await asyncio.start_server(answer, host="127.0.0.1", port=imap)
        secure = await asyncio.start_server(answer, host="127.0.0.1", port=imaps, ssl=config.ssl_context)
        await asyncio.gather(plain.serve_forever(), secure.serve_forever())


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
