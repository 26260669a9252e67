#if os(Linux)
    import FileCoordination
    import Foundation
    import Synchronization
    import TestSupport

    /// A consumer: takes everything a watcher tells, keeps the last word on each path, and from that alone a picture of the
    /// tree, which must in the end equal what is there.
    final class ToldChanges: Sendable {
        struct Word {
            var kind: WatchEvent.Kind
            var isFolder: Bool
            var count = 0
            var time = ContinuousClock.now
        }

        fileprivate struct State {
            let root: String
            let readsFiles: Bool
            var contents: [String: FileContent] = [:]
            var words: [String: Word] = [:]
            var picture: [String: Bool] = [:]
            var rescans: [(reason: WatchEvent.RescanReason, path: String)] = []
            var polling: [FileCoordinationError] = []
            var watching = 0
            var total = 0
            var largestBatch = 0
            var last = ContinuousClock.now
            var removals: Set<String> = []
            var leaves = false
            var token: WatchToken?
            var ended = false
        }

        let watcher: DirectoryWatcher
        let root: String
        private let state: Mutex<State>
        private let task = Mutex<Task<Void, Never>?>(nil)

        /// Starts the watcher and returns when what is there is known.
        ///
        /// - Parameters:
        ///   - readsFiles: Whether the consumer reads each file that it is told of.
        ///   - afterEach: What the consumer does after each batch: a slow one waits here.
        convenience init(
            _ root: String, _ options: WatchOptions = WatchOptions(), readsFiles: Bool = false,
            afterEach: @escaping @Sendable () async -> Void = {}
        ) async throws {
            try await self.init(
                DirectoryWatcher(root, options: options), of: root, readsFiles: readsFiles, afterEach: afterEach)
        }

        /// A further consumer of a watcher.
        ///
        /// - Parameter earlier: A consumer of an earlier watcher that ended with this token: its picture goes on.
        init(
            _ watcher: DirectoryWatcher, of root: String, readsFiles: Bool = false,
            since token: WatchToken? = nil, continuing earlier: ToldChanges? = nil,
            afterEach: @escaping @Sendable () async -> Void = {}
        ) async throws {
            self.root = root
            self.watcher = watcher
            state = Mutex(State(root: root, readsFiles: readsFiles))
            if let earlier { state.withLock { ($0.picture, $0.contents) = (earlier.picture, earlier.contents) } }
            let subscription = watcher.subscribe(since: token)
            let listening = Task { [weak self] in
                for await batch in subscription {
                    self?.take(batch)
                    await afterEach()
                    if await self?.leaves(subscription) ?? true { break }
                }
                self?.state.withLock { $0.ended = true }
            }
            task.withLock { $0 = listening }
            await watcher.start()
            // With a token the differences come instead of this notice.
            if token == nil { _ = await eventually { state.withLock { !$0.rescans.isEmpty } } }
            if earlier == nil { try look() }
            forget()
        }

        private func look() throws {
            let present = try RealTree(root).entries
            state.withLock { state in
                state.picture = present
                for path in present.keys { state.read(path) }
            }
        }

        /// Ends after the next batch, with the token of what was told up to then.
        func end() async throws -> WatchToken {
            state.withLock { $0.leaves = true }
            _ = await sees { $0.ended }
            guard let token = state.withLock(\.token) else { throw CancellationError() }
            return token
        }

        private func leaves(_ subscription: WatchSubscription) async -> Bool {
            guard state.withLock(\.leaves) else { return false }
            do {
                let token = try await subscription.token()
                state.withLock { $0.token = token }
            } catch {}
            return true
        }

        deinit { watcher.stop() }

        private func take(_ batch: [WatchEvent]) {
            state.withLock { state in
                state.last = .now
                state.largestBatch = max(state.largestBatch, batch.count)
                for event in batch { state.take(event) }
            }
        }

        /// The last word on each path.
        var words: [String: Word] { state.withLock(\.words) }
        /// The tree as it follows from what was told; a folder to be read again was read when that was told.
        var picture: [String: Bool] { state.withLock(\.picture) }
        /// What the consumer read when it was last told of the file.
        var contents: [String: FileContent] { state.withLock(\.contents) }
        /// The folders that were told to be read again, and why.
        var rescans: [(reason: WatchEvent.RescanReason, path: String)] { state.withLock(\.rescans) }
        /// The reasons for looking in intervals that were told.
        var polling: [FileCoordinationError] { state.withLock(\.polling) }
        /// How often it was told that everything is watched again.
        var watching: Int { state.withLock(\.watching) }
        /// How much was told.
        var total: Int { state.withLock(\.total) }
        var largestBatch: Int { state.withLock(\.largestBatch) }
        /// Every path that was ever told as gone.
        var removals: Set<String> { state.withLock(\.removals) }
        var ended: Bool { state.withLock(\.ended) }

        func cancel() { task.withLock { $0 }?.cancel() }

        /// Forgets the words, but not the picture.
        func forget() {
            state.withLock { state in
                state.words = [:]
                state.rescans = []
                state.removals = []
                state.total = 0
                state.largestBatch = 0
            }
        }

        func isQuiet(for time: Duration) -> Bool { state.withLock { .now - $0.last >= time } }

        /// Whether this becomes so before the deadline, looking now and then.
        func sees(within limit: Duration = .seconds(30), _ fact: (ToldChanges) throws -> Bool) async rethrows -> Bool {
            var waited = Duration.zero
            while true {
                let start = ContinuousClock.now
                if try fact(self) { return true }
                if waited >= limit { return false }
                // A look that takes long, like a walk of the tree, must not keep the processor from the watcher.
                let pause = max(.milliseconds(20), (ContinuousClock.now - start) * 4)
                do { try await Task.sleep(for: pause) } catch { return false }
                // No more of it counts where the machine is busy: the watcher has had no more of it than this.
                waited += min(ContinuousClock.now - start, .seconds(1))
            }
        }
    }

    extension ToldChanges.State {
        fileprivate mutating func take(_ event: WatchEvent) {
            total += 1
            switch event.kind {
            case .polling(let reason): polling.append(reason)
            case .watching: watching += 1
            case .rescan(let reason):
                rescans.append((reason, event.path))
                if reason == .backlog { readAgain(event.path) }
            case .created, .modified:
                if event.path != root { picture[event.path] = event.isDirectory }
                read(event.path)
            case .removed:
                picture[event.path] = nil
                contents[event.path] = nil
                removals.insert(event.path)
            }
            if !event.isOfPath { return }
            var word = words[event.path] ?? ToldChanges.Word(kind: event.kind, isFolder: event.isDirectory)
            word.kind = event.kind
            word.isFolder = event.isDirectory
            word.count += 1
            word.time = .now
            words[event.path] = word
        }

        fileprivate mutating func read(_ path: String) {
            if readsFiles { contents[path] = FileContent(path) }
        }

        /// As the event asks.
        private mutating func readAgain(_ folder: String) {
            let below = folder + "/"
            for path in picture.keys where path.hasPrefix(below) {
                picture[path] = nil
                contents[path] = nil
            }
            // What changes while it is read is told again, so a walk that stumbles may be taken as it is.
            do {
                let tree = try RealTree(folder)
                picture.merge(tree.entries) { $1 }
                for path in tree.entries.keys { read(path) }
                if folder != root { picture[folder] = tree.folderInodes.isEmpty ? nil : true }
            } catch {}
        }
    }

    extension WatchEvent {
        fileprivate var isOfPath: Bool {
            switch kind {
            case .created, .modified, .removed: true
            case .rescan, .polling, .watching: false
            }
        }
    }
#endif
