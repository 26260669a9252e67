import LLVSCore

extension SharedFolder.Signature {
    /// The size as it is noted of a file that was taken in.
    var sizeBytes: [UInt8] { withUnsafeBytes(of: size.littleEndian) { Array($0) } }

    /// Whether the file can be the one that was noted as taken in. Of another size, its bytes are others; times say nothing.
    func agrees(with mark: [UInt8]) -> Bool { mark.count != sizeBytes.count || mark == sizeBytes }
}
