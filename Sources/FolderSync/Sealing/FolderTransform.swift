/// What an app does to the files it writes into a shared folder, and undoes to those it reads: encryption with a key of the
/// app's own, above all.
///
/// Give one to ``FolderExchange`` and everything that says anything of values is *sealed* with it before it leaves the device:
/// entries, pieces of values, and snapshots, each compressed first and whole, with its ids, hashes, times and metadata. Without
/// the transform one still reads the names of files, with how many entries they hold; their sizes; the name of the transform;
/// and which lanes there are, for the identity card and notes stay as they are. What was written before a transform was given
/// stays plain: to hide everything, begin with a new folder.
///
/// A device without the transform, or with another key, keeps such files, reports them like files from a newer version, and
/// goes on with the others. An attachment that has once sealed or opened files refuses to go on without its transform or with
/// another key, so that nothing of it is ever written plain by mistake.
///
/// ```swift
/// import CryptoKit  // swift-crypto's Crypto elsewhere
///
/// struct Encryption: FolderTransform {
///     let key: SymmetricKey  // 256 bits, from the keychain or a password by a slow function
///     let name = "com.example.notes/chacha20-poly1305"
///     var secret: [UInt8] {
///         HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Data("names".utf8), outputByteCount: 32)
///             .withUnsafeBytes { Array($0) }
///     }
///     func seal(_ bytes: [UInt8]) throws -> [UInt8] {
///         Array(try ChaChaPoly.seal(bytes, using: key).combined)
///     }
///     func open(_ sealed: ArraySlice<UInt8>, length: Int) throws -> [UInt8] {
///         Array(try ChaChaPoly.open(try ChaChaPoly.SealedBox(combined: sealed), using: key))
///     }
/// }
///
/// let exchange = FolderExchange(store: store, attachment: attachment, transform: Encryption(key: key))
/// ```
///
/// The format is described in the article "Shared folder format". This package has no cipher of its own: which one is good
/// and where keys live is for the app to say. Use one that notices changed bytes; what it opens is checked against its hashes
/// all the same. Whoever can write in the folder can hold files back or bring back old ones: no transform changes that.
public protocol FolderTransform: Sendable {
    /// What every sealed file states, so that others know what they would need: 1 to 64 of the ASCII characters `!` to `~`. Take
    /// another name for what older copies of the app could not open.
    var name: String { get }

    /// At least 16 bytes that follow from the key by a one-way function, equal on all devices for as long as the folder lives.
    ///
    /// From it follow the names of pieces, which would otherwise tell whoever knows a file whether it is in the folder, and a
    /// mark in each file by which a wrong key is told before anything is opened. An app that changes its key keeps the secret,
    /// and lets what it seals say with which key.
    var secret: [UInt8] { get }

    /// The sealed form of the bytes of a file, of mostly less than 4 MiB, rarely up to 300: 1 byte to 4,096 more than they are
    /// and a 64th.
    ///
    /// May be different each time. Called on the exchange's own thread, one file at a time; the result is opened again before
    /// it is written.
    func seal(_ bytes: [UInt8]) throws -> [UInt8]

    /// The bytes that were sealed, of which there have to be `length`: no more than the limits of the format, checked before.
    ///
    /// - Throws: whatever it likes if it cannot open them; the file is reported with the error's text and stays.
    func open(_ sealed: ArraySlice<UInt8>, length: Int) throws -> [UInt8]
}
