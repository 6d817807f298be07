"""Settings -> a server that runs until a signal stops it, and then finishes what it took."""

from __future__ import annotations

import asyncio
import logging
from types import FrameType

import uvicorn

from sau_solver.server.app import create_app
from sau_solver.server.logs import OURS, write_logs
from sau_solver.server.metrics import Metrics
from sau_solver.server.pool import Command, Pool
from sau_solver.server.settings import CONCLUDING_SECONDS, Settings

_log = logging.getLogger(f"{OURS}.serving")


def serve(settings: Settings, worker: Command | None = None) -> None:
    """Run until SIGINT or SIGTERM; SauError where the workers do not start."""
    write_logs()
    asyncio.run(_serve(settings, worker))


async def _serve(settings: Settings, worker: Command | None) -> None:
    async with Pool(settings, Metrics(), worker) as pool:
        await Server(settings, pool).serve()


class Server(uvicorn.Server):
    """Refuses new work from the signal on; uvicorn lets what was taken finish."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self.pool = pool
        super().__init__(
            uvicorn.Config(
                create_app(pool),
                host=settings.host,
                port=settings.port,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=int(settings.stop_seconds - CONCLUDING_SECONDS),
            )
        )

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        """Listen, and say where."""
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            address = self.servers[0].sockets[0].getsockname()
            _log.info(
                "ready", extra={"address": f"http://{address[0]}:{address[1]}", "models": self.pool.solving.models}
            )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came."""
        _log.info("stopping", extra={"signal": sig})
        self.pool.stopping = True
        super().handle_exit(sig, frame)
