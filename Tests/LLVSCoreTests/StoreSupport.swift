import TestSupport
import Testing

@testable import LLVSCore

extension Storage {
    /// Every byte of a store, by zone: equal where nothing was written.
    func contents() throws -> [String: [[UInt8]: [UInt8]]] {
        var found: [String: [[UInt8]: [UInt8]]] = [:]
        try read { reader in
            for zone in [
                StoreZones.index, StoreZones.loose, StoreZones.heads, StoreZones.tips, StoreZones.current,
                StoreZones.settings, StoreZones.changed, StoreZones.branches,
            ] {
                try reader.scan(zone, from: [], before: nil) { key, value in
                    found[zone.name, default: [:]][key] = value
                    return true
                }
            }
            for zone in [
                StoreZones.versions, StoreZones.changes, StoreZones.nodes, StoreZones.bodies, StoreZones.chunks,
                StoreZones.firm, StoreZones.segments,
            ] {
                try reader.scanRows(zone, from: 1) { row, value in
                    found[zone.name, default: [:]][StoreZones.key(row)] = value
                    return true
                }
            }
        }
        return found
    }

    /// The number of rows in a zone and the bytes in them.
    func size(of zone: RowZone) throws -> (rows: Int, bytes: Int) {
        var size = (rows: 0, bytes: 0)
        try read { reader in
            try reader.scanRows(zone, from: 1) { _, row in
                size.rows += 1
                size.bytes += row.count
                return true
            }
        }
        return size
    }
}

extension StoreBuilder {
    /// The references of all values at a version, by a scan.
    func references(at version: Version.ID) throws -> [Value.ID: Value.Reference] {
        var found: [Value.ID: Value.Reference] = [:]
        try store.forEachValue(at: version) { reference in
            found[reference.id] = reference
            return true
        }
        return found
    }

    /// The change list that a version must have, worked out from all values of the version and its parents.
    func expectedChanges(of version: Version) throws -> ChangeList {
        let result = try references(at: version.id)
        let basis = try references(at: version.basis)
        let isMerge = version.parents.count == 2
        let other = isMerge ? try references(at: version.parents[1 - Int(version.basisIndex)]) : [:]
        var entries: [ChangeList.Entry] = []
        for id in Set(result.keys).union(basis.keys) {
            let (before, after) = (basis[id]?.contentHash, result[id]?.contentHash)
            if before == after { continue }
            let isPreserved = isMerge && other[id]?.contentHash == after
            let operation: ChangeList.Operation
            if after == nil {
                operation = isPreserved ? .preserveRemoval : .remove
            } else if isPreserved {
                operation = .preserve
            } else {
                operation = before == nil ? .insert : .update
            }
            entries.append(
                ChangeList.Entry(
                    id: id, operation: operation, contentHash: after ?? .zero, replacedHash: before ?? .zero,
                    storingVersion: operation == .preserve ? other[id]?.version : nil))
        }
        return try ChangeList(entries)
    }

    /// Expects that a version lists what it changes against its basis, all of it and nothing more.
    func expectMinimalChanges(_ id: Version.ID, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let version = try store.version(id)
        let expected = try expectedChanges(of: version)
        #expect(try store.changes(of: id) == expected, sourceLocation: sourceLocation)
    }
}
