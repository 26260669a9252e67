#!/usr/bin/env python3
"""Works out the ids of the first versions in store_golden.tsv from the description of the formats alone.

Version bytes: "LLVSver1", u16 encoding, u8 kind, u8 parents {u32 length, id}, u8 basis, u64 generation, u64 and u32 stamp,
i64 time, u32 metadata {u32 length, key, u32 length, value}, 32 bytes digest of the changes. Change list: "LLVSchg1", u32 count
{u32 length, id, u8 operation, 32 bytes new hash, 32 bytes replaced hash}. Little-endian; an id is base32 of SHA-256.
Map of few values: "LLVSmap1", u8 level, u32 count {u32 length, id, 32 bytes hash}.

Run: python3 store_golden.py. Prints what differs, and exits with 1 if anything does.
"""
import base64
import hashlib
import pathlib
import struct
import sys

NOW = 1_767_225_600_000
BELIEVED = (946_684_800_000, 7_289_654_399_999)
INSERT, UPDATE, REMOVE = 1, 2, 3


def sha(data):
    return hashlib.sha256(data).digest()


def base32(digest):
    return base64.b32encode(digest).decode().lower().rstrip("=")


def text(data):
    data = data.encode() if isinstance(data, str) else data
    return struct.pack("<I", len(data)) + data


def version(parents, generation, stamp, time, changes, before, metadata=()):
    entries = b""
    for name, content in sorted(changes.items(), key=lambda item: item[0].encode()):
        old = sha(before[name].encode()) if name in before else bytes(32)
        new = sha(content.encode()) if content is not None else bytes(32)
        operation = REMOVE if content is None else UPDATE if name in before else INSERT
        entries += text(name) + bytes([operation]) + new + old
    changes = b"LLVSchg1" + struct.pack("<I", len(changes)) + entries
    data = b"LLVSver1" + struct.pack("<HBB", 1, 1, len(parents)) + b"".join(map(text, parents))
    data += struct.pack("<BQQIq", 0, generation, *stamp, time)
    data += struct.pack("<I", len(metadata)) + b"".join(text(key) + text(value) for key, value in metadata)
    return base32(sha(data + sha(changes)))


def leaf(values):
    """The digest of a map of one node, which these are: it cuts after no entry but the last."""
    items = sorted((name.encode(), content) for name, content in values.items())
    entries = b"".join(text(name) + sha(content.encode()) for name, content in items)
    return base32(sha(b"LLVSmap1" + struct.pack("<BI", 0, len(items)) + entries))


def expected():
    base = {"a": "1", "b": "", "\u00e9": "accent"}
    first = version([], 1, (NOW, 0), NOW, base, {})
    yield "first", first, leaf(base)
    yield "update", version(
        [first], 2, (NOW + 1000, 0), NOW + 1000, {"a": "2", "b": None}, base, [("note", bytes([1, 2, 3]))]
    ), leaf({"a": "2", "\u00e9": "accent"})
    # A clock that is behind: one tick after the parent.
    yield "draft", version(
        [first], 2, (NOW, 1), NOW - 1000, {"draft": "1"}, base, [("llvs.branch", b"draft")]
    ), leaf(base | {"draft": "1"})
    yield "ancient", version([first], 2, (NOW, 1), -1, {"a": "ancient", "c": "1"}, base), leaf(
        base | {"a": "ancient", "c": "1"}
    )
    # A clock beyond belief: the last moment that is believed.
    yield "future", version(
        [first], 2, (BELIEVED[1], 0), 2**63 - 1, {"a": "future", "d": "1"}, base
    ), leaf(base | {"a": "future", "d": "1"})


def main():
    lines = pathlib.Path(__file__).with_suffix(".tsv").read_text().splitlines()
    frozen = {name: (id, digest) for name, id, digest in (line.split("\t") for line in lines)}
    wrong = 0
    for name, id, digest in expected():
        for what, mine, theirs in (("id", id, frozen[name][0]), ("digest", digest, frozen[name][1])):
            if mine != theirs:
                wrong += 1
                print(f"{name}: the {what} is {mine} by the description and {theirs} in the fixture")
    sys.exit(1 if wrong else 0)


main()
