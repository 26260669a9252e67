#!/usr/bin/env python3
"""Digests of a store's map, computed from its definition alone; shares no code with the package.

node      "LLVSmap1", u8 level, u32 count, then per entry u32 length, key, 32 bytes.
          Leaf (level 0): id, content hash. Inner: last id of the child's subtree, digest of the child.
boundary  a level is cut after the c-th entry of a node if the first u64 of SHA-256(u8 level, key) is below
          floor(2^64 (1 - exp(-(c^4 - (c-1)^4) / 16^4))); never at c = 1, always at c = 48.
root      the node of the first level that has one. Integers are little-endian.

Prints the golden vectors of MapVectorTests: the SHA-256 of the 48 thresholds as u64s (2^64 written as 2^64 - 1), and
for each number of entries the digest of the root. Run: python3 map_vectors.py
"""

import hashlib
import struct
from decimal import Decimal, getcontext

getcontext().prec = 100


def threshold(c):
    if c == 1:
        return 0
    if c == 48:
        return 2**64
    return int(Decimal(2) ** 64 * (1 - (-Decimal(c**4 - (c - 1) ** 4) / Decimal(16**4)).exp()))


THRESHOLDS = [None] + [threshold(c) for c in range(1, 49)]


def sha(data):
    return hashlib.sha256(data).digest()


def node(level, entries):
    body = b"".join(struct.pack("<I", len(key)) + key + digest for key, digest in entries)
    return sha(b"LLVSmap1" + struct.pack("<BI", level, len(entries)) + body)


def root(entries):
    level = 0
    while True:
        nodes, current = [], []
        for key, digest in entries:
            current.append((key, digest))
            first = struct.unpack("<Q", sha(bytes([level]) + key)[:8])[0]
            if first < THRESHOLDS[len(current)]:
                nodes.append(current)
                current = []
        if current or not nodes:
            nodes.append(current)
        entries = [(each[-1][0] if each else b"", node(level, each)) for each in nodes]
        if len(entries) == 1:
            return entries[0][1], level
        level += 1


def numbered(count, digits):
    ids = [b"key-" + str(n).zfill(digits).encode() for n in range(1, count + 1)]
    return [(id, sha(id)) for id in ids]


printed = [min(each, 2**64 - 1) for each in THRESHOLDS[1:]]
print("thresholds", sha(struct.pack("<48Q", *printed)).hex())

for count, digits in [(0, 4), (1, 4), (1_000, 4), (100_000, 6)]:
    digest, level = root(numbered(count, digits))
    print(count, digest.hex(), "level", level)
