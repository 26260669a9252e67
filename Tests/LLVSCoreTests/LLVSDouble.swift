import FileCoordination
import Foundation
import TestSupport
import Testing

/// What LLVS does with a folder, as far as others see it: it keeps values by the version that stored them, works out the changes
/// of a version anew from its maps when it sends, and writes JSON in an order of its own.
final class LLVSDouble {
    private struct Stored: Hashable {
        let value: String
        let version: String
    }

    private struct Kept {
        let first: String?
        let second: String?
        let timestamp: Double
        let metadata: [Any]
        /// Value → the version that stored it.
        let map: [String: String]
    }

    private var versions: [String: Kept] = [:]
    private var data: [Stored: String] = [:]

    var heads: [String] {
        let parents = Set(versions.values.flatMap { [$0.first, $0.second].compactMap(\.self) })
        return versions.keys.filter { !parents.contains($0) }.sorted()
    }

    /// The base64 of each value at a version.
    func values(at version: String) -> [String: String] {
        var found: [String: String] = [:]
        for (value, stored) in versions[version]?.map ?? [:] {
            found[value] = data[Stored(value: value, version: stored)]
        }
        return found
    }

    private func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func retrieve(from folder: TemporaryFolder) throws {
        var pending = Set(try folder.names(in: "versions")).subtracting(versions.keys)
        while !pending.isEmpty {
            let before = pending.count
            for id in pending.sorted() where try take(id, folder) { pending.remove(id) }
            try #require(pending.count < before, "LLVS would never get \(pending)")
        }
    }

    private func take(_ id: String, _ folder: TemporaryFolder) throws -> Bool {
        let file = try #require(try json(folder("versions/\(id)")) as? [String: [String: Any]])
        let version = try #require(file["version"])
        let predecessors = version["predecessors"] as? [String: String]
        let (first, second) = (predecessors?["idOfFirst"], predecessors?["idOfSecond"])
        guard [first, second].compactMap(\.self).allSatisfy({ versions[$0] != nil }) else { return false }
        var map = first.flatMap { versions[$0]?.map } ?? [:]
        for change in try #require(try json(folder("changes/\(id)")) as? [[String: Any]]) {
            let (kind, content) = try #require(change.first)
            let fields = content as? [String: String]
            switch kind {
            case "insert", "update":
                let value = try #require(fields?["id"])
                map[value] = id
                data[Stored(value: value, version: id)] = fields?["data"]
            case "preserve":
                let (value, stored) = (try #require(fields?["valueId"]), try #require(fields?["storedVersionId"]))
                try #require(data[Stored(value: value, version: stored)] != nil, "LLVS would not find \(value)")
                map[value] = stored
            default: map[try #require(content as? String)] = nil
            }
        }
        versions[id] = Kept(
            first: first, second: second, timestamp: try #require(version["timestamp"] as? Double),
            metadata: try #require(version["metadata"] as? [Any]), map: map)
        return true
    }

    /// Merges two heads; where they differ the second has it.
    func merge(_ first: String, _ second: String, at timestamp: Double) {
        versions[UUID().uuidString] = Kept(
            first: first, second: second, timestamp: timestamp, metadata: [], map: versions[second]?.map ?? [:])
    }

    func send(to folder: TemporaryFolder) throws {
        try folder.makeFolder("versions")
        try folder.makeFolder("changes")
        for (id, version) in versions where !FileManager.default.fileExists(atPath: folder("versions/\(id)")) {
            let predecessors = ["idOfFirst": version.first, "idOfSecond": version.second].compactMapValues { $0 }
            var pairs = stride(from: 0, to: version.metadata.count, by: 2).map { Array(version.metadata[$0..<$0 + 2]) }
            pairs.reverse()
            var object: [String: Any] = [
                "identifier": id, "timestamp": version.timestamp, "metadata": pairs.flatMap { $0 },
            ]
            if !predecessors.isEmpty { object["predecessors"] = predecessors }
            try write(changes(of: id, version), to: folder("changes/\(id)"))
            try write(["version": object], to: folder("versions/\(id)"))
        }
    }

    private func write(_ object: Any, to path: String) throws {
        try JSONSerialization.data(withJSONObject: object).write(to: URL(fileURLWithPath: path))
    }

    /// By references, as LLVS compares: with two predecessors it negates the fork that leads to them.
    private func changes(of id: String, _ version: Kept) -> [[String: Any]] {
        let first = version.first.flatMap { versions[$0]?.map } ?? [:]
        let second = version.second.flatMap { versions[$0]?.map }
        var changes: [[String: Any]] = []
        for value in Set(version.map.keys).union(first.keys).union(second?.keys ?? [:].keys).shuffled() {
            let (now, one, two) = (version.map[value], first[value], second?[value])
            let stored = now.flatMap { version in
                data[Stored(value: value, version: version)].map {
                    ["id": value, "data": $0, "storedVersionId": version]
                }
            }
            let isOfOne = now == one || (second != nil && now == two)
            switch (now, second) {
            case (let now?, _?) where isOfOne && one != two:
                changes.append(["preserve": ["valueId": value, "storedVersionId": now]])
            case (nil, _?) where isOfOne && one != two: changes.append(["preserveRemoval": value])
            case (_, _) where isOfOne: continue
            case (nil, _): changes.append(["remove": value])
            default: changes.append([one == nil && two == nil ? "insert" : "update": stored as Any])
            }
        }
        return changes
    }
}
