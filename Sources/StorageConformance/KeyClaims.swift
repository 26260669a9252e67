import LLVSCore

private let zone = KeyedZone("zone_1")

/// What every storage promises of keys and values.
enum KeyClaims {
    static let all = [
        putAndGet, replaces, removes, emptyBytes, zeroBytes, largeValues, order, ranges, longScan, agreesWithDictionary,
    ]

    static let putAndGet = StorageClaim("what was put is there, in its zone only") { storage in
        try storage.write { try $0.put([1, 2, 3], for: [7], in: zone) }
        try storage.read {
            try expect($0.value([7], in: zone) == [1, 2, 3])
            try expect($0.value([8], in: zone) == nil)
            try expect($0.value([7], in: KeyedZone("zone_2")) == nil)
        }
    }

    static let replaces = StorageClaim("a key holds the last bytes put") { storage in
        try storage.write { try $0.put([1], for: [7], in: zone) }
        try storage.write { writer in
            try writer.put([2, 2], for: [7], in: zone)
            try expect(writer.value([7], in: zone) == [2, 2])
            try writer.put([3], for: [7], in: zone)
        }
        try expect(storage.keys(zone) == [[7]])
        try storage.read { try expect($0.value([7], in: zone) == [3]) }
    }

    static let removes = StorageClaim("a removed key is gone, removing an absent one is no error") { storage in
        try storage.write { writer in
            try writer.remove([7], in: zone)
            for key: UInt8 in 1...3 { try writer.put([key], for: [key], in: zone) }
        }
        try storage.write { writer in
            try writer.remove([2], in: zone)
            try writer.remove([9], in: zone)
            try expect(writer.value([2], in: zone) == nil)
        }
        try expect(storage.keys(zone) == [[1], [3]])
    }

    static let emptyBytes = StorageClaim("the empty key and the empty value are a key and a value") { storage in
        try storage.write { writer in
            try writer.put([], for: [], in: zone)
            try writer.put([], for: [0], in: zone)
        }
        try storage.read { reader in
            try expect(reader.value([], in: zone) == [])
            try expect(reader.value([0], in: zone) == [])
        }
        try expect(storage.keys(zone) == [[], [0]])
        try storage.write { try $0.remove([], in: zone) }
        try expect(storage.keys(zone) == [[0]])
    }

    static let zeroBytes = StorageClaim("keys with zero bytes differ by them") { storage in
        let keys: [[UInt8]] = [[97], [97, 0], [97, 0, 0], [97, 0, 98]]
        try storage.write { writer in
            for key in keys { try writer.put(key + [0, 1], for: key, in: zone) }
        }
        try storage.read { reader in
            for key in keys { try expect(reader.value(key, in: zone) == key + [0, 1]) }
        }
        try expect(storage.keys(zone) == keys)
    }

    static let largeValues = StorageClaim("values of a megabyte and more come back whole") { storage in
        let sizes = [4_095, 4_096, 1 << 20, (1 << 20) + 1, 5 << 20]
        func bytes(_ size: Int) -> [UInt8] {
            [1, 2, 3] + [UInt8](repeating: UInt8(size & 255), count: size - 6) + [4, 5, 6]
        }
        try storage.write { writer in
            for size in sizes { try writer.put(bytes(size), for: Array(String(size).utf8), in: zone) }
        }
        try storage.read { reader in
            for size in sizes { try expect(reader.value(Array(String(size).utf8), in: zone) == bytes(size)) }
        }
        var seen = 0
        try storage.read {
            try $0.scan(zone, from: [], before: nil) {
                seen += $1.count > 0 ? 1 : 0
                return true
            }
        }
        try expect(seen == sizes.count)
    }

    static let order = StorageClaim("keys are ordered by unsigned bytes, a prefix first") { storage in
        let ordered: [[UInt8]] = [
            [], [0], [0, 255], [1], [0x7f], [0x7f, 0], [0x80], [0x80, 0x80], [0xff], [0xff, 0], [0xff, 0xff],
        ]
        try storage.write { writer in
            for key in ordered.reversed() { try writer.put([], for: key, in: zone) }
        }
        try expect(storage.keys(zone) == ordered)
    }

    static let ranges = StorageClaim("a scan covers from its start up to and without its end") { storage in
        try storage.write { writer in
            for key: UInt8 in [10, 20, 30, 40] { try writer.put([key], for: [key], in: zone) }
        }
        try expect(storage.keys(zone, from: [20], before: [40]) == [[20], [30]])
        try expect(storage.keys(zone, from: [11], before: [40, 0]) == [[20], [30], [40]])
        try expect(storage.keys(zone, from: [20], before: [20]) == [])
        try expect(storage.keys(zone, from: [30], before: [20]) == [])
        try expect(storage.keys(zone, from: [], before: []) == [])
        try expect(storage.keys(zone, from: [41]) == [])
    }

    static let longScan = StorageClaim("a scan of many keys gives each once and stops when told") { storage in
        let count = 5_000
        func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
        try storage.write { writer in
            for number in 0..<count { try writer.put(key(number), for: key(number * 7 % count), in: zone) }
        }
        try expect(storage.keys(zone) == (0..<count).map(key))
        for limit in [1, 15, 16, 17, 80, 4_999] {
            var seen = 0
            try storage.read {
                try $0.scan(zone, from: [], before: nil) { _, _ in
                    seen += 1
                    return seen < limit
                }
            }
            try expect(seen == limit)
        }
    }

    static let agreesWithDictionary = StorageClaim("removing and putting at random leaves what a dictionary would hold")
    { storage in
        var expected: [UInt16: [UInt8]] = [:]
        var state: UInt64 = 42
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        for _ in 0..<40 {
            try storage.write { writer in
                for _ in 0..<200 {
                    let number = UInt16(next(1_000))
                    let key = [UInt8(number >> 8), UInt8(number & 255)]
                    if next(5) < 2 {
                        expected[number] = nil
                        try writer.remove(key, in: zone)
                    } else {
                        let value = [UInt8](repeating: UInt8(next(256)), count: Int(next(9)))
                        expected[number] = value
                        try writer.put(value, for: key, in: zone)
                    }
                }
            }
        }
        var found: [UInt16: [UInt8]] = [:]
        try storage.read {
            try $0.scan(zone, from: [], before: nil) { key, value in
                found[UInt16(key[0]) << 8 | UInt16(key[1])] = value
                return true
            }
        }
        try expect(found == expected)
    }
}
