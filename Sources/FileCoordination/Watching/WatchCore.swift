import Synchronization

/// What the watcher and its thread share.
final class WatchCore: Sendable {
    enum Life {
        case idle
        case running
        case stopped
    }

    private struct State {
        var life = Life.idle
        var status = WatchStatus()
        var waker: WatchWaker?
        var isArmed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var requests: [WatchRequest] = []
    }

    let root: String
    let files: any FileSystem
    let options: WatchOptions
    let mailbox: WatchMailbox
    let makeSource: @Sendable () throws(Errno) -> (any WatchEventSource)?
    private let state = Mutex(State())
    private let stopping = Atomic<Bool>(false)
    private let requestCount = Atomic<Int>(0)

    init(
        root: String, files: any FileSystem, options: WatchOptions,
        makeSource: @escaping @Sendable () throws(Errno) -> (any WatchEventSource)?
    ) {
        self.root = root
        self.files = files
        self.options = options
        self.makeSource = makeSource
        mailbox = WatchMailbox(root: root, limit: options.backlogLimit)
    }

    var isStopped: Bool { stopping.load(ordering: .acquiring) }
    var status: WatchStatus { state.withLock { $0.status } }
    func report(_ status: WatchStatus) { state.withLock { $0.status = status } }

    /// Everything that the watcher has to say goes through here.
    func tell(_ events: [WatchEvent]) { mailbox.put(events) }

    var hasRequests: Bool { requestCount.load(ordering: .acquiring) > 0 }

    /// Asks the thread, which answers when it is armed; refused at once if there is none any more.
    func request(_ request: WatchRequest) {
        let (waker, isTaken) = state.withLock { state in
            if state.life != .stopped { state.requests.append(request) }
            return (state.waker, state.life != .stopped)
        }
        guard isTaken else { return request.refuse() }
        requestCount.add(1, ordering: .releasing)
        waker?.wake()
    }

    func takeRequests() -> [WatchRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            requestCount.store(0, ordering: .releasing)
            return state.requests
        }
    }

    /// Whether the caller is the one to start the thread.
    func begin() -> Bool {
        state.withLock { state in
            guard state.life == .idle else { return false }
            state.life = .running
            state.status.phase = .arming
            return true
        }
    }

    func use(_ waker: WatchWaker) { state.withLock { $0.waker = waker } }

    /// Ends the stream at once. The thread gives its descriptors back by itself: the kernel takes its time for that.
    func stop() {
        stopping.store(true, ordering: .releasing)
        let (waker, wasIdle) = state.withLock { state in
            let wasIdle = state.life == .idle
            state.life = .stopped
            return (state.waker, wasIdle)
        }
        mailbox.end()
        waker?.wake()
        if wasIdle { finish() }
    }

    /// What is there is known, or will never be.
    func armed() {
        let waiting = state.withLock { state in
            state.isArmed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func waitUntilArmed() async {
        await withCheckedContinuation { continuation in
            let isArmed = state.withLock { state in
                if !state.isArmed { state.waiting.append(continuation) }
                return state.isArmed
            }
            if isArmed { continuation.resume() }
        }
    }

    /// The thread's last word.
    func finish() {
        state.withLock { state in
            state.status.phase = .stopped
            state.status.watchedFolders = 0
            state.status.polledFolders = 0
            state.life = .stopped
            state.waker = nil
        }
        mailbox.end()
        armed()
        for request in takeRequests() { request.refuse() }
    }
}
