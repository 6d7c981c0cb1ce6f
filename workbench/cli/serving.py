"""A store over HTTP: `workbench serve`."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import click

from workbench.cli.common import json_option, store_option


@click.command()
@store_option
@click.option("--bind", default="127.0.0.1:7878", show_default=True, metavar="HOST:PORT",
              help="Where to listen; anything but this machine itself needs --token-file. Port 0: any free one.")
@click.option("--workers", type=click.IntRange(1, 64), help="Queries that run at once; default: two a core, up to 4.")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), default=30.0, show_default=True,
              help="Seconds that a query may take, to its last byte; a request may ask for fewer.")
@click.option("--memory", type=click.IntRange(128), default=2048, show_default=True, help="MiB that a worker may use.")
@click.option("--rows", type=click.IntRange(1), default=5_000_000, show_default=True, help="Rows of an answer.")
@click.option("--size", type=click.IntRange(1), default=1024, show_default=True, help="MiB of an answer.")
@click.option("--queue", type=click.IntRange(0), default=64, show_default=True, help="Requests that may wait.")
@click.option("--body", type=click.IntRange(1), default=16, show_default=True, help="MiB of a request's body.")
@click.option("--slow-client", type=click.FloatRange(0.1), default=20.0, show_default=True,
              help="Seconds that a client may take to send its request, or not to read on.")
@click.option("--refresh", type=click.FloatRange(0.05), default=1.0, show_default=True,
              help="Seconds between looks at whether the store moved on.")
@click.option("--token-file", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help='JSON: [{"token": "…", "name": "ann", "scopes": ["read", "write"], "sources": ["mail"]}, …]; '
              '"sha256" may stand for the token; without sources all episodes are visible.')
@click.option("--writable", is_flag=True, help="Offer a scratch dataset at /scratch, to holders of a write token.")
@click.option("--open-scratch", is_flag=True, help="With --writable: programs on this machine need no token.")
@click.option("--scratch", type=click.Path(path_type=Path, file_okay=False),
              help="Folder of the scratch dataset; default: a temporary one.")
@click.option("--allow-origin", "origins", multiple=True, metavar="ORIGIN",
              help="A web origin whose pages may call (CORS); may be given again; * is any.")
@click.option("--public-url", "public", help="The URL under which clients know the server, behind a proxy.")
@click.option("--static", type=click.Path(path_type=Path, exists=True, file_okay=False),
              help="A folder to serve at /static.")
@click.option("--log", type=click.Choice(("info", "warning")), default="info", show_default=True,
              help="info: a line of JSON a request, without anything that was asked or answered.")
@json_option
def serve(store: Path, bind: str, workers: int | None, timeout: float, memory: int, rows: int, size: int, queue: int,
          body: int, slow_client: float, refresh: float, token_file: Path | None, writable: bool, open_scratch: bool,
          scratch: Path | None, origins: tuple[str, ...], public: str | None, static: Path | None, log: str,
          as_json: bool) -> None:
    """Serve a store: SPARQL, graphs, episodes, entities and facts, now and in the past. Ctrl-C or SIGTERM ends it.

    Queries run in processes of their own on frozen snapshots and are killed when they exceed what they may use.
    SERVICE and LOAD are always refused.
    """
    from workbench.serve.options import MIB, Budget, Options
    from workbench.serve.server import serve as run

    host, colon, port = bind.rpartition(":")
    if not colon or not host or not port.isdigit():
        raise click.UsageError(f"--bind {bind}: give HOST:PORT, such as 127.0.0.1:7878")
    if not (store / "store.json").exists():
        raise click.UsageError(f"there is no store in {store}; make one with `workbench ingest`")
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    logging.getLogger("workbench.serve").setLevel(log.upper())
    options = Options(
        store=store, host=host, port=int(port), budget=Budget(timeout, memory * MIB, rows, size * MIB), queue=queue,
        body=body * MIB, slow_seconds=slow_client, refresh=refresh, token_file=token_file,
        writable=writable or open_scratch, open_scratch=open_scratch, scratch=scratch, origins=origins,
        public=public, static=static,
        **({} if workers is None else {"workers": workers}))
    said = json.dumps if as_json else (lambda found: f"serving {found['store']} at {found['url']}")
    run(options, lambda url: click.echo(said({"store": str(store), "url": url})))
