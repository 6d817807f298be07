"""The environment that torchrun gives to the processes of a training."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch.distributed


@contextmanager
def environments(size: int) -> Iterator[list[dict[str, str]]]:
    """Yield one environment per process; like torchrun, this process holds the store through which they meet."""
    meeting = torch.distributed.TCPStore  # type: ignore[attr-defined]
    store = meeting("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    common = {
        "WORLD_SIZE": str(size),
        "LOCAL_WORLD_SIZE": str(size),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(store.port),
        "TORCHELASTIC_USE_AGENT_STORE": "True",
        "TORCHELASTIC_RESTART_COUNT": "0",
    }
    yield [os.environ | common | {"RANK": str(rank), "LOCAL_RANK": str(rank)} for rank in range(size)]
    del store
