/// Everything a version changes against its basis: at most one entry a value, ascending by id.
///
/// A list is canonical: the same changes have the same bytes, and so the same ``digest``.
public struct ChangeList: Hashable, Sendable {
    /// What happens to a value. The names are those of ``Value/Change``, seen from the basis.
    public enum Operation: UInt8, Hashable, Sendable {
        /// The basis has no such value.
        case insert = 1
        /// The basis has it with other content.
        case update = 2
        /// The basis has it, the version does not.
        case remove = 3
        /// It is as another version stored it.
        case preserve = 4
        /// It is removed, as in the other parent.
        case preserveRemoval = 5
    }

    /// What happens to one value.
    public struct Entry: Hashable, Sendable {
        /// The id of the value.
        public let id: Value.ID
        /// What happens to it.
        public let operation: Operation
        /// The SHA-256 of its content from here on; zero where it is removed.
        public let contentHash: Digest
        /// The SHA-256 of the content it has in the basis; zero where it has none.
        public let replacedHash: Digest
        /// For ``Operation/preserve``, the version that stored the content.
        public let storingVersion: Version.ID?

        /// An entry of these parts. Whether they agree is checked when it becomes part of a list.
        public init(
            id: Value.ID, operation: Operation, contentHash: Digest = .zero, replacedHash: Digest = .zero,
            storingVersion: Version.ID? = nil
        ) {
            self.id = id
            self.operation = operation
            self.contentHash = contentHash
            self.replacedHash = replacedHash
            self.storingVersion = storingVersion
        }
    }

    /// No changes.
    public static let empty = ChangeList(checked: [])

    /// The entries, ascending by id, no id twice.
    public let entries: [Entry]

    /// The list of `entries`, in whatever order they come.
    /// - Throws: ``StoreError/Code/invalidChanges`` if two have the same id, or the parts of one do not agree.
    public init(_ entries: [Entry]) throws(StoreError) {
        let sorted = entries.sorted { $0.id < $1.id }
        for (entry, next) in zip(sorted, sorted.dropFirst()) where entry.id == next.id {
            throw Self.invalid(entry, "is changed twice", code: .invalidChanges)
        }
        for entry in sorted {
            if let problem = entry.problem { throw Self.invalid(entry, problem, code: .invalidChanges) }
        }
        self.init(checked: sorted)
    }

    /// The list of entries that ascend and agree.
    init(checked entries: [Entry]) { self.entries = entries }

    /// The entry of `id`.
    public subscript(id: Value.ID) -> Entry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].id == id ? entries[low] : nil
    }

    static func invalid(_ entry: Entry, _ problem: String, code: StoreError.Code) -> StoreError {
        StoreError(
            code, "the change of '\(entry.id)' \(problem)",
            remedy: code == .invalidChanges ? "correct the changes" : "take the version again from another copy")
    }
}

extension ChangeList.Entry {
    /// What is wrong with the entry by itself; nil if nothing is. An operation says which hashes there are, so that no change
    /// has two spellings.
    var problem: String? {
        let hasContent = contentHash != .zero
        let replaces = replacedHash != .zero
        if contentHash == replacedHash { return "changes nothing" }
        if (operation == .preserve) != (storingVersion != nil) || storingVersion == .root {
            return "does not say properly which version stored it"
        }
        let agrees =
            switch operation {
            case .insert: hasContent && !replaces
            case .update: hasContent && replaces
            case .remove, .preserveRemoval: !hasContent && replaces
            case .preserve: hasContent
            }
        return agrees ? nil : "has hashes that do not fit its operation, \(operation)"
    }
}
