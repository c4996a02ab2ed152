"""What modules are, for the tester of the interface: a bot, the beginning of one, or any bytes."""

import pathlib

import schemathesis
from hypothesis import strategies

ROOT = pathlib.Path(__file__).resolve().parents[3]
BOT = (ROOT / "sample-bots/prebuilt/mahjong-distance.wasm").read_bytes()

schemathesis.openapi.media_type(
    "application/wasm",
    strategies.one_of(
        strategies.just(BOT),
        strategies.integers(0, len(BOT)).map(lambda end: BOT[:end]),
        strategies.binary(max_size=4096),
    ),
)


@schemathesis.serializer("application/wasm")
def module(_context, value):
    """Bytes as they are; anything else as its text."""
    return value if isinstance(value, bytes) else str(value).encode()
