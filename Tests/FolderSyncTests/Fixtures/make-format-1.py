#!/usr/bin/env python3
"""Writes format-1/ and format-1.txt beside itself: a shared folder of format 1 and the numbers behind it.

An implementation of SharedFolderFormat.md that shares no code with the package, so that the two check each other.
The output is committed and is never made again once a version with this format is released: it stands for the folders
that exist by then. Running it again must change nothing (zlib may, in the two files whose coding is 1).
"""

import base64
import hashlib
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "format-1"
vectors = []


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def base32(data):
    return base64.b32encode(data).decode().lower().rstrip("=")


def u8(n):
    return struct.pack("<B", n)


def u16(n):
    return struct.pack("<H", n)


def u32(n):
    return struct.pack("<I", n)


def u64(n):
    return struct.pack("<Q", n)


def counted(data):
    return u32(len(data)) + data


def vector(name, value):
    vectors.append(f"{name} {value.hex() if isinstance(value, bytes) else value}")


# Versions: canonical encoding 1.

INSERT, UPDATE, REMOVE, PRESERVE = 1, 2, 3, 4
ZERO = bytes(32)


def changes(entries):
    out = b"LLVSchg1" + u32(len(entries))
    for value_id, operation, new, replaced, storing in sorted(entries, key=lambda entry: entry[0]):
        out += counted(value_id) + u8(operation) + new + replaced
        if operation == PRESERVE:
            out += counted(storing)
    return out


def version(kind, parents, basis, generation, stamp, time, metadata, change_list):
    out = b"LLVSver1" + u16(1) + u8(kind) + u8(len(parents))
    for parent in sorted(parents):
        out += counted(parent)
    out += u8(basis) + u64(generation) + u64(stamp[0]) + u32(stamp[1]) + struct.pack("<q", time)
    out += u32(len(metadata))
    for key in sorted(metadata):
        out += counted(key) + counted(metadata[key])
    return out + sha(change_list)


def native(header):
    return base32(sha(header)).encode()


# Files.


def container(kind, coding, store, lane, own_header, plain, optional=0):
    if coding == 1:
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        stored = packer.compress(plain) + packer.flush()
        assert len(stored) < len(plain)
    else:
        stored = plain
    total = 88 + len(own_header) + len(stored) + 32
    out = b"LLVSfile" + u16(1) + u8(kind) + u8(coding) + u64(0) + u64(optional) + u64(total) + store + lane
    out += u64(len(plain)) + u64(len(stored)) + u32(len(own_header))
    assert len(out) == 88
    out += own_header + stored
    return out + sha(out)


def sealed(kind, store, lane, name, secret, plain):
    """The file `plain`, sealed by turning over bits of each byte."""
    body = bytes(byte ^ 0x5A for byte in plain)
    own_header = counted(name) + sha(b"LLVSmark1", store, counted(secret))[:16]
    out = b"LLVSfile" + u16(1) + u8(kind) + u8(0) + u64(1) + u64(0) + u64(88 + len(own_header) + len(body) + 32)
    out += store + lane + u64(len(plain)) + u64(len(body)) + u32(len(own_header)) + own_header + body
    return out + sha(out)


def hidden(store, secret, text):
    return base32(sha(b"LLVSname1", store, counted(secret), text.encode()))[:len(text)]


def chain_start(store, lane):
    return sha(b"lane1", store, lane)


def chain_next(before, version_id, header, change_list):
    return sha(before, u16(len(version_id)), version_id, sha(header, change_list))


def inline(data):
    assert len(data) <= 16384
    return u8(0) + u64(len(data)) + data


def pieces(extents):
    out = u8(1) + u64(sum(length for _, _, length in extents)) + u32(len(extents))
    for digest, offset, length in extents:
        out += digest + u64(offset) + u64(length)
    return out


def record(version_id, header, change_list, bodies, extra=b""):
    out = b"VREC" + counted(version_id) + counted(header) + counted(change_list)
    return counted(out + u32(len(bodies)) + b"".join(bodies) + extra)


def entries(store, lane, first, before, records, after, seen, coding, optional=0):
    own = u64(first) + u64(first + len(records) - 1) + before + after + u32(len(seen))
    for lane_id, sequence, chain in sorted(seen):
        own += lane_id + u64(sequence) + chain
    return container(1, coding, store, lane, own, b"".join(records), optional)


def card(store):
    head = f"FolderSync store card\nfloor 1\nstore {base32(store)}\n".encode()
    return head + f"sha256 {base32(sha(head))}\n".encode()


def write(name, data):
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_entries(label, lane, first, last, data):
    name = f"{base32(lane)}/e-{first}-{last}-{base32(data[-32:])[:32]}.llvs"
    write(name, data)
    vector(label, name)


def write_piece(label, lane, plain, coding):
    name = f"{base32(lane)}/v-{base32(sha(plain))[:32]}.llvs"
    write(name, container(2, coding, STORE, lane, b"", plain))
    vector(label, name)


STORE = bytes(range(16))
LANE_A = bytes(range(16, 32))
LANE_B = bytes(range(240, 256))
vector("store", STORE)
vector("store.text", base32(STORE))
vector("lane.a.text", base32(LANE_A))
vector("lane.b.text", base32(LANE_B))

write(f"{base32(STORE)}.store", card(STORE))
vector("card", card(STORE))

# The bodies. Noise does not shrink, so that its piece is stored; the text is deflated.
hello = b"Hello\n"
noise = b"".join(sha(b"noise", u32(n)) for n in range(625))
text = b"".join(b"line %d of a text that shrinks\n" % n for n in range(1000))
large = noise + text
from_b = b"from B"
vector("noise.sha256", sha(noise))
vector("text.sha256", sha(text))
vector("large.sha256", sha(large))

# Four native versions and one of a foreign store.
c1 = changes([(b"note/1", INSERT, sha(hello), ZERO, None), (b"note/2", INSERT, sha(b""), ZERO, None)])
h1 = version(1, [], 0, 1, (1700000000000, 0), 1700000000000, {}, c1)
v1 = native(h1)
c2 = changes([(b"note/1", UPDATE, sha(large), sha(hello), None), (b"note/2", REMOVE, ZERO, sha(b""), None)])
h2 = version(1, [v1], 0, 2, (1700000001000, 0), 1700000001000, {b"llvs.branch": b"main"}, c2)
v2 = native(h2)
c3 = changes([(b"note/3", INSERT, sha(from_b), ZERO, None)])
h3 = version(1, [v1], 0, 2, (1700000000500, 3), -1, {}, c3)
v3 = native(h3)
c4 = changes([(b"note/3", PRESERVE, sha(from_b), ZERO, v3)])
h4 = version(2, [v2, v3], sorted([v2, v3]).index(v2), 3, (1700000001000, 1), 1700000001000, {}, c4)
v4 = native(h4)
v5 = b"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
c5 = changes([("note/\u00e9".encode(), INSERT, sha(b"llvs"), ZERO, None)])
h5 = version(1, [v4], 0, 4, (1700000002000, 0), 1700000002000, {}, c5)
for number, version_id, header, change_list in (
    (1, v1, h1, c1), (2, v2, h2, c2), (3, v3, h3, c3), (4, v4, h4, c4), (5, v5, h5, c5)
):
    vector(f"version.{number}.id", version_id.decode())
    vector(f"version.{number}.bytes", header)
    vector(f"version.{number}.changes", change_list)

a0 = chain_start(STORE, LANE_A)
a1 = chain_next(a0, v1, h1, c1)
a2 = chain_next(a1, v2, h2, c2)
b0 = chain_start(STORE, LANE_B)
b1 = chain_next(b0, v3, h3, c3)
b2 = chain_next(b1, v4, h4, c4)
b3 = chain_next(b2, v5, h5, c5)
for name, chain in (("a.0", a0), ("a.1", a1), ("a.2", a2), ("b.0", b0), ("b.1", b1), ("b.2", b2), ("b.3", b3)):
    vector(f"chain.{name}", chain)

write_piece("piece.stored", LANE_A, noise, 0)
write_piece("piece.deflated", LANE_A, text, 1)
r1 = record(v1, h1, c1, [inline(hello), inline(b"")])
r2 = record(v2, h2, c2, [pieces([(sha(noise), 0, len(noise)), (sha(text), 0, len(text))])])
write_entries("entries.a", LANE_A, 1, 2, entries(STORE, LANE_A, 1, a0, [r1, r2], a2, [], 1))
r3 = record(v3, h3, c3, [inline(from_b)])
r4 = record(v4, h4, c4, [])
write_entries("entries.b", LANE_B, 1, 2, entries(STORE, LANE_B, 1, b0, [r3, r4], b2, [(LANE_A, 2, a2)], 0))
# What a later writer may add: an optional feature, and bytes in the record that only those who know it read.
r5 = record(v5, h5, c5, [inline(b"llvs")], extra=b"later")
write_entries("entries.optional", LANE_B, 3, 3,
              entries(STORE, LANE_B, 3, b2, [r5], b3, [(LANE_A, 2, a2)], 0, optional=1 << 40))

# The smallest file there is: a piece of one byte.
smallest = container(2, 0, STORE, LANE_A, b"", b"!")
vector("smallest", smallest)

# Notes, which are in no folder of this version.
vector("note.retired", container(4, 0, STORE, LANE_A, b"\x01" + LANE_A + u64(2) + a2, b""))
vector("note.adopted", container(4, 0, STORE, LANE_A, b"\x02" + bytes(range(240, 256)), b""))
vector("note.carried", container(4, 0, STORE, LANE_A, b"\x03" + LANE_B + u64(0) + b0 + u64(2) + b2 + u64(4), b""))

# A sealed file, which is in no folder of this version either.
secret = bytes(range(0x40, 0x50))
vector("sealed", sealed(2, STORE, LANE_A, b"example.org/xor", secret, smallest))
vector("sealed.name", f"v-{hidden(STORE, secret, base32(sha(b'!'))[:32])}.llvs")

(HERE / "format-1.txt").write_text("\n".join(vectors) + "\n")
