#if os(Linux)
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// Changes files by bare system calls, as fast as a program in C would: what the watcher is up against.
    enum Disk {
        struct Failure: Error {
            let call: String
            let path: String
            let number: Int32
        }

        @discardableResult
        static func check(_ result: Int32, _ call: String, _ path: String) throws -> Int32 {
            if result < 0 { throw Failure(call: call, path: path, number: errno) }
            return result
        }

        static func makeFolder(_ path: String) throws { try check(mkdir(path, 0o755), "mkdir", path) }

        /// Each folder on the way is made by one call.
        static func makeFolders(_ path: String, below root: String) throws {
            var made = root
            for part in path.split(separator: "/") {
                made += "/\(part)"
                if mkdir(made, 0o755) != 0, errno != EEXIST { throw Failure(call: "mkdir", path: made, number: errno) }
            }
        }

        static func write(_ path: String, _ text: String = "x", flags: Int32 = O_TRUNC) throws {
            let file = try check(open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o644), "open", path)
            defer { close(file) }
            var text = text
            let count = text.withUTF8 { systemWrite(file, $0.baseAddress, $0.count) }
            if count != text.utf8.count { throw Failure(call: "write", path: path, number: errno) }
        }

        static func append(_ path: String, _ text: String = "+") throws { try write(path, text, flags: O_APPEND) }

        static func move(_ old: String, _ new: String) throws { try check(rename(old, new), "rename", old) }

        /// Two names change places in one step.
        static func swap(_ one: String, _ other: String) throws {
            typealias Call = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
            guard let symbol = dlsym(nil, "renameat2") else {
                throw Failure(call: "renameat2", path: one, number: ENOSYS)
            }
            let exchange: UInt32 = 2
            let call = unsafeBitCast(symbol, to: Call.self)
            try check(call(AT_FDCWD, one, AT_FDCWD, other, exchange), "renameat2", one)
        }

        static func remove(_ path: String) throws { try check(unlink(path), "unlink", path) }

        static func removeFolder(_ path: String) throws { try check(rmdir(path), "rmdir", path) }

        /// Depth first, and never through a link.
        static func removeTree(_ path: String) throws {
            for name in try names(in: path) {
                let inner = "\(path)/\(name)"
                if try kind(inner) == S_IFDIR { try removeTree(inner) } else { try remove(inner) }
            }
            try removeFolder(path)
        }

        static func linkSymbolically(_ path: String, to target: String) throws {
            try check(symlink(target, path), "symlink", path)
        }

        static func linkHard(_ path: String, to target: String) throws { try check(link(target, path), "link", path) }

        /// Without `.` and `..`; what is not UTF-8 is spelled with replacement characters.
        static func names(in path: String) throws -> [String] {
            guard let folder = opendir(path) else { throw Failure(call: "opendir", path: path, number: errno) }
            defer { closedir(folder) }
            var names: [String] = []
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { names.append(name) }
            }
            return names
        }

        static func kind(_ path: String) throws -> mode_t { try attributes(path).st_mode & S_IFMT }

        static func attributes(_ path: String) throws -> stat {
            var info = stat()
            try check(lstat(path, &info), "lstat", path)
            return info
        }
    }

    /// By another name, because `Disk` has a `write` of its own.
    private func systemWrite(_ file: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int {
        write(file, start, count)
    }
#endif
