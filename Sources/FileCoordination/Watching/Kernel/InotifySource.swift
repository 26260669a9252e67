#if os(Linux)
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// Hints by `inotify(7)`.
    final class InotifySource: WatchEventSource {
        let descriptor: Int32
        private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)

        /// No opening and no reading is asked for: a scan must not cause hints of its own.
        private static let mask = UInt32(
            IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
                | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

        /// The fixed part and a name of 255 bytes, padded.
        private static let longestEvent = 16 + 256

        init() throws(Errno) {
            descriptor = try retrying { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }
        }

        deinit { buffer.deallocate() }

        func add(_ folder: OpenFile, path: String) throws(Errno) -> Int32 {
            // By descriptor: exactly the folder that is listed is watched, whatever its name leads to by now.
            let name = "/proc/self/fd/\(folder.descriptor)"
            do { return try retrying { inotify_add_watch(descriptor, name, Self.mask) } } catch {
                guard error == .noSuchFile else { throw error }
                // Without /proc the name must do.
                return try retrying { inotify_add_watch(descriptor, path, Self.mask) }
            }
        }

        func remove(_ watch: Int32) {
            // EINVAL if the kernel ended it already.
            _ = inotify_rm_watch(descriptor, watch)
        }

        func drain() throws(Errno) -> [RawWatchEvent] {
            var events: [RawWatchEvent] = []
            guard let start = buffer.baseAddress else { return events }
            // A bounded number of rounds, so that a writer without end does not keep the others waiting.
            for _ in 0..<64 {
                let count: Int
                do { count = try retrying { systemRead(descriptor, start, buffer.count) } } catch {
                    if error == .wouldBlock { break }
                    throw error
                }
                if count <= 0 { break }
                Self.parse(UnsafeRawBufferPointer(start: start, count: count), into: &events)
                // There would have been room for another one: the queue is empty.
                if count < buffer.count - Self.longestEvent { break }
            }
            return events
        }

        func close() {
            _ = systemClose(descriptor)
        }

        /// Reads `struct inotify_event`s: watch, mask, cookie, length of the name with its padding, name.
        static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [RawWatchEvent]) {
            var offset = 0
            while offset + 16 <= bytes.count {
                let watch = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
                let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                let start = offset + 16
                guard start + length <= bytes.count else { return }
                var end = start
                while end < start + length, bytes[end] != 0 { end += 1 }
                let name = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                if let kind = kind(mask, name) { events.append(RawWatchEvent(watch: watch, kind: kind)) }
                offset = start + length
            }
        }

        private static func kind(_ mask: UInt32, _ name: UnsafeRawBufferPointer) -> RawWatchEvent.Kind? {
            func has(_ bits: Int) -> Bool { mask & UInt32(truncatingIfNeeded: bits) != 0 }
            if has(Int(IN_Q_OVERFLOW)) { return .overflow }
            if has(Int(IN_IGNORED)) { return .watchEnded }
            if has(Int(IN_DELETE_SELF) | Int(IN_MOVE_SELF) | Int(IN_UNMOUNT)) { return .folderChanged }
            // Attributes of the folder itself are its parent's affair.
            if name.isEmpty { return nil }
            let hint: ChangeHint
            if has(Int(IN_CLOSE_WRITE)) {
                hint = .closed
            } else if has(Int(IN_DELETE) | Int(IN_MOVED_FROM)) {
                hint = .gone
            } else if has(Int(IN_CREATE)), !has(Int(IN_ISDIR)) {
                hint = .created
            } else if has(Int(IN_MODIFY)) {
                hint = .modified
            } else {
                hint = .settled
            }
            return .entry(name: Array(name), hint)
        }
    }
#endif
