public import struct Foundation.Data

extension Value {
    /// A value of these bytes.
    public init(id: ID, bytes: [UInt8]) { self.init(id: id, content: .bytes(bytes)) }

    /// A value of the bytes of `data`.
    public init(id: ID, data: Data) { self.init(id: id, bytes: [UInt8](data)) }

    /// A value of `text` in UTF-8.
    public init(id: ID, _ text: String) { self.init(id: id, bytes: [UInt8](text.utf8)) }
}
