"""Writes encoding-1.txt: versions in encoding 1, made from the format's description and not by the code under test.

Run: python3 make-encoding-1.py > encoding-1.txt. The output never changes: the encoding is frozen.

version bytes = "LLVSver1" | u16 encoding | u8 kind | u8 parents {u32 length, id} | u8 basis index | u64 generation
              | u64 stamp milliseconds | u32 stamp counter | i64 time | u32 entries {u32 length, key, u32 length, value}
              | 32 bytes SHA-256 of the change list bytes
change list   = "LLVSchg1" | u32 count {u32 length, id, u8 operation, 32 bytes new hash, 32 bytes replaced hash,
                and for preserve: u32 length, storing version}
version id    = base32 (RFC 4648, lower case, no padding) of the SHA-256 of the version bytes
"""
import base64
import hashlib
import struct

KINDS = {"authored": 1, "merge": 2, "join": 3}
OPERATIONS = {"insert": 1, "update": 2, "remove": 3, "preserve": 4, "preserveRemoval": 5}
NONE = bytes(32)


def sha256(data):
    return hashlib.sha256(data).digest()


def base32(data):
    return base64.b32encode(data).decode().lower().rstrip("=")


def prefixed(data):
    return struct.pack("<I", len(data)) + data


def change_list(entries):
    out = b"LLVSchg1" + struct.pack("<I", len(entries))
    for identifier, operation, new, replaced, storing in sorted(entries):
        out += prefixed(identifier) + bytes([OPERATIONS[operation]]) + new + replaced
        if operation == "preserve":
            out += prefixed(storing.encode())
    return out


def version(title, kind, parents, basis, generation, stamp, time, metadata, entries, foreign=None):
    listed = sorted((p for p in parents if p != ROOT), key=str.encode)
    changes = change_list(entries)
    header = b"LLVSver1" + struct.pack("<HBB", 1, KINDS[kind], len(listed))
    for parent in listed:
        header += prefixed(parent.encode())
    header += struct.pack("<BQQIq", listed.index(basis) if listed else 0, generation, stamp[0], stamp[1], time)
    header += struct.pack("<I", len(metadata))
    for key in sorted(metadata):
        header += prefixed(key) + prefixed(metadata[key])
    header += sha256(changes)
    identifier = foreign or base32(sha256(header))

    print(f"\nversion {title}")
    print(f"kind {kind}")
    for parent in parents:
        print(f"parent {parent}")
    print(f"basis {basis}")
    print(f"generation {generation}")
    print(f"stamp {stamp[0]} {stamp[1]}")
    print(f"time {time}")
    for key, value in metadata.items():
        print(f"metadata {key.hex() or '-'} {value.hex() or '-'}")
    for value_id, operation, new, replaced, storing in entries:
        print(f"change {operation} {value_id.hex()} {new.hex()} {replaced.hex()} {storing or '-'}")
    if foreign:
        print(f"foreign {foreign}")
    print(f"=changes {changes.hex()}")
    print(f"=header {header.hex()}")
    print(f"=id {identifier}")
    return identifier


def content(text):
    return sha256(text.encode())


ROOT = base32(sha256(b"LLVS root 1"))
A, B, C, D = b"a", b"b", b"contacts/1", b"d"
COMPOSED, DECOMPOSED = "caf\u00e9".encode(), "cafe\u0301".encode()
T = 1_700_000_000_000

print("# Versions in encoding 1. Made by make-encoding-1.py; see there for the format. Ids, keys and values in hexadecimal.")
print("# Lines that begin with = are what the lines above them must come to. A dash is nothing.")
print(f"\nroot {ROOT}")

first = version(
    "authored on the root", "authored", [ROOT], ROOT, 1, (T, 0), T, {},
    [(C, "insert", content("one"), NONE, None), (A, "insert", content("hello"), NONE, None),
     (B, "insert", content(""), NONE, None)])
left = version(
    "authored, with metadata and a branch", "authored", [first], first, 2, (T + 5, 7), T + 5,
    {b"llvs.branch": b"draft", b"author": "Zo\u00eb".encode(), b"": b"", b"\x00nul": b"\xff\x00"},
    [(A, "update", content("hello, left"), content("hello"), None),
     (DECOMPOSED, "insert", content("decomposed"), NONE, None),
     (COMPOSED, "insert", content("composed"), NONE, None),
     (C, "remove", NONE, content("one"), None)])
right = version(
    "authored beside it", "authored", [first], first, 2, (T + 9, 0), -1, {b"llvs.branch": b"draft"},
    [(B, "remove", NONE, content(""), None), (D, "insert", content("right"), NONE, None),
     (A, "update", content("hello, right"), content("hello"), None)])
version(
    "merge with preserve and preserveRemoval", "merge", [right, left], left, 3, (T + 9, 1), T + 5,
    {b"llvs.branch": b"draft"},
    [(A, "preserve", content("hello, right"), content("hello, left"), right),
     (B, "preserveRemoval", NONE, content(""), None), (D, "preserve", content("right"), NONE, right)])
version(
    "authored resolution with both parents", "authored", [left, right], right, 3, (T + 60_000, 0), T + 60_000, {},
    [(A, "update", content("hello, both"), content("hello, right"), None),
     (C, "preserveRemoval", NONE, content("one"), None)])
version("join", "join", [left, right], right, 3, (T + 9, 4_294_967_295), T, {}, [])
version("without changes, extreme numbers", "authored", [first], first, 2**64 - 1, (2**64 - 1, 2**32 - 1), -2**63, {}, [])
foreign = version(
    "under a foreign id", "authored", [ROOT], ROOT, 1, (T, 3), T, {b"llvs.branch": b"\xff not text"},
    [(b"x" * 300, "insert", content("foreign"), NONE, None)], foreign="7F3A9C00-0000-4000-8000-00000000000/\u00e9")
version("on a foreign one", "merge", [foreign, first], foreign, 2, (T, 4), T, {},
        [(A, "preserve", content("hello"), NONE, first), (b"x" * 300, "update", content("new"), content("foreign"), None)])
