public import LLVSCore

/// One promise that every ``LLVSCore/Storage`` keeps, as a check that can be run on yours.
///
/// The package's own storages pass all of them. Run each on a storage of its own, from a thread that may block (some wait for
/// threads that they start), in whatever test framework you use:
///
///     @Test(arguments: StorageClaim.all)
///     func keeps(_ claim: StorageClaim) throws { try claim.check(MyStorage()) }
public struct StorageClaim: Sendable, CustomStringConvertible {
    /// What is claimed, as a sentence.
    public let name: String
    private let body: @Sendable (any Storage) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (any Storage) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Every claim about a storage that is open.
    public static let all: [StorageClaim] = KeyClaims.all + RowClaims.all + TransactionClaims.all

    /// The name.
    public var description: String { name }

    /// Checks the claim on a storage with nothing in it, which may be closed or hold anything afterwards. Takes less than a
    /// second as a rule.
    /// - Throws: ``StorageClaimFailure`` if the claim does not hold, or whatever else the storage throws.
    public func check(_ storage: any Storage) throws {
        try naming(name) { try body(storage) }
    }
}

/// A promise of storages that outlive the object: on disk, or wherever else another process would find them.
public struct DurableStorageClaim: Sendable, CustomStringConvertible {
    /// What is claimed, as a sentence.
    public let name: String
    private let body: @Sendable (() throws -> any Storage) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (() throws -> any Storage) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Every claim about what is there after a storage was opened again, and about two objects on one storage.
    public static let all: [DurableStorageClaim] = DurableClaims.all

    /// The name.
    public var description: String { name }

    /// Checks the claim.
    /// - Parameter open: opens the same storage anew each time; there is nothing in it the first time. It is called again
    ///   while others that it returned are open.
    /// - Throws: ``StorageClaimFailure`` if the claim does not hold, or whatever else the storage throws.
    public func check(opening open: () throws -> any Storage) throws {
        try naming(name) { try body(open) }
    }
}

/// A claim that does not hold.
public struct StorageClaimFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The claim's name.
    public let claim: String
    /// What was found instead.
    public let found: String
    /// The file of this package and the line in it that say what was expected.
    public let place: String

    /// "claim: found (place)".
    public var description: String { "\(claim): \(found) (\(place))" }
}

/// What an expectation throws, before the claim is named.
private struct Unmet: Error {
    let found: String
    let place: String
}

private func naming(_ claim: String, _ body: () throws -> Void) throws {
    do { try body() } catch let unmet as Unmet {
        throw StorageClaimFailure(claim: claim, found: unmet.found, place: unmet.place)
    }
}

/// Throws unless the condition holds.
func expect(
    _ condition: @autoclosure () throws -> Bool, _ found: @autoclosure () -> String = "it does not hold",
    file: String = #fileID, line: Int = #line
) throws {
    guard try condition() else { throw Unmet(found: found(), place: "\(file):\(line)") }
}

/// Throws unless `body` throws a store's error with this code.
func expect(
    _ code: StoreError.Code, file: String = #fileID, line: Int = #line, _ body: () throws -> Void
) throws {
    do { try body() } catch let error as StoreError {
        return try expect(error.code == code, "it throws \(error.code.rawValue): \(error)", file: file, line: line)
    }
    throw Unmet(found: "it throws nothing", place: "\(file):\(line)")
}

/// Throws unless `body` throws this.
func expectThrows<Expected: Error & Equatable>(
    _ expected: Expected, file: String = #fileID, line: Int = #line, _ body: () throws -> Void
) throws {
    do { try body() } catch let error as Expected {
        return try expect(error == expected, "it throws \(error)", file: file, line: line)
    }
    throw Unmet(found: "it throws nothing", place: "\(file):\(line)")
}
