/// Something of a store's history, read bit by bit: versions, revisions of a value, forks that merges resolved.
///
/// Every pass over it begins anew. Between pages no transaction is open, so a slow consumer holds nothing up and may write to
/// the store meanwhile; what is added after a pass began may be missing from it, and nothing comes twice. Reading blocks on
/// the disk.
///
/// An element is a `Result`, because an iterator of the standard library cannot throw: after a failure the pass is over.
///
///     for version in store.ancestry(of: [head]) {
///         print(try version.get().id)
///     }
public struct HistorySequence<Item>: Sequence, Sendable {
    private let store: Store
    private let begin: @Sendable () -> any HistoryPages<Item>

    init(_ store: Store, _ begin: @escaping @Sendable () -> any HistoryPages<Item>) {
        self.store = store
        self.begin = begin
    }

    /// Starts at the first item. Reads nothing yet.
    public func makeIterator() -> Iterator { Iterator(store, begin()) }

    /// The first `limit` items; all, if that is nil.
    /// - Throws: what reading the store throws.
    public func collected(limit: Int? = nil) throws -> [Item] {
        var found: [Item] = []
        var iterator = makeIterator()
        while limit.map({ found.count < $0 }) ?? true, let item = iterator.next() { found.append(try item.get()) }
        return found
    }

    /// One pass.
    public struct Iterator: IteratorProtocol {
        private let store: Store
        /// Nil once all was read, or reading failed.
        private var pages: (any HistoryPages<Item>)?
        private var page: [Item] = []
        private var position = 0

        fileprivate init(_ store: Store, _ pages: any HistoryPages<Item>) {
            self.store = store
            self.pages = pages
        }

        /// The next item, or why there is none; nil at the end.
        public mutating func next() -> Result<Item, any Error>? {
            while position == page.count {
                guard var pages else { return nil }
                do {
                    page = try pages.nextPage(of: store)
                    position = 0
                    self.pages = pages.isAtEnd ? nil : pages
                } catch {
                    (self.pages, page, position) = (nil, [], 0)
                    return .failure(error)
                }
            }
            position += 1
            return .success(page[position - 1])
        }
    }
}

/// What a ``HistorySequence`` reads from: a position in the history, and the way on from there.
protocol HistoryPages<Item> {
    associatedtype Item

    /// Whether everything was read.
    var isAtEnd: Bool { get }
    /// The next items, read in a transaction of its own. None does not mean the end.
    mutating func nextPage(of store: Store) throws -> [Item]
}
