/// Elements that are written once, before anybody else sees them, and read without counting references, which would cost more
/// than what is done with them for each name. They are never freed: the table of all grammars is there until the program ends.
///
/// Unchecked, because nothing writes to the memory after `init`.
struct LastingTable<Element: Sendable>: @unchecked Sendable {
    private let elements: UnsafeBufferPointer<Element>

    init(_ array: [Element]) {
        let room = UnsafeMutableBufferPointer<Element>.allocate(capacity: array.count)
        _ = room.initialize(from: array)
        elements = UnsafeBufferPointer(room)
    }

    subscript(place: Int) -> Element {
        @inline(__always) unsafeAddress { address(place) }
    }

    @inline(__always)
    private func address(_ place: Int) -> UnsafePointer<Element> {
        // A table that is empty has no place either.
        guard place >= 0, place < elements.count, let start = elements.baseAddress else {
            preconditionFailure("no such place in the table")
        }
        return start + place
    }
}

extension LastingTable: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { elements.count }
}
