import Foundation
import Synchronization

/// What the watcher, its subscriptions and its thread share. The thread holds this and never the watcher, so that the watch
/// ends when nobody else holds it.
final class WatchCore: Sendable {
    private enum Life {
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
        var mailboxes: [ObjectIdentifier: WatchMailbox] = [:]
    }

    let root: String
    let files: any FileSystem
    let options: WatchOptions
    let makeSource: @Sendable () throws(Errno) -> (any WatchEventSource)?
    private let state = Mutex(State())
    private let stopping = Atomic<Bool>(false)
    private let requestCount = Atomic<Int>(0)
    private let rounds = Atomic<Int>(0)
    private let isPolling = Atomic<Bool>(false)

    init(
        root: String, files: any FileSystem, options: WatchOptions,
        makeSource: @escaping @Sendable () throws(Errno) -> (any WatchEventSource)?
    ) {
        self.root = root
        self.files = files
        self.options = options
        self.makeSource = makeSource
    }

    var isStopped: Bool { stopping.load(ordering: .acquiring) }
    var status: WatchStatus { state.withLock { $0.status } }
    /// What the thread says after the stop counts no more.
    func report(_ status: WatchStatus) { state.withLock { if $0.life != .stopped { $0.status = status } } }

    /// Starts the thread, once.
    func begin() {
        let isFirst = state.withLock { state in
            guard state.life == .idle else { return false }
            state.life = .running
            state.status.phase = .arming
            return true
        }
        guard isFirst else { return }
        let isStarted = DispatchSemaphore(value: 0)
        let thread = Thread {
            // The name reaches the system only from inside, and only once `start` knows the thread. At most 15 bytes.
            isStarted.wait()
            Thread.current.name = "FolderWatcher"
            WatchLoop.run(self)
        }
        thread.start()
        isStarted.signal()
    }

    func use(_ waker: WatchWaker) { state.withLock { $0.waker = waker } }

    /// Ends every subscription at once. The thread gives its descriptors back by itself: the kernel takes its time for that.
    func stop() {
        stopping.store(true, ordering: .releasing)
        let (waker, wasIdle) = state.withLock { state in
            let wasIdle = state.life == .idle
            state.life = .stopped
            state.status.phase = .stopped
            return (state.waker, wasIdle)
        }
        endSubscriptions()
        waker?.wake()
        if wasIdle { finish() }
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
            state.status.blindFolders = 0
            state.life = .stopped
            state.waker = nil
        }
        endSubscriptions()
        resumeStarters()
        for request in takeRequests() { request.refuse() }
    }

    private func resumeStarters() {
        let waiting = state.withLock { state in
            state.isArmed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension WatchCore {
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
}

extension WatchCore {
    private var started: WatchEvent { WatchEvent(.rescan(.started), path: root, isDirectory: true) }

    /// A mailbox for a new subscriber, who is told what changes from now on, and with a token what changed since.
    func subscribe(since token: WatchToken?) -> WatchMailbox {
        let mailbox = WatchMailbox(root: root, limit: options.backlogLimit, tellsStart: token == nil)
        let (isArmed, hasEnded) = state.withLock { state in
            if state.life != .stopped { state.mailboxes[ObjectIdentifier(mailbox)] = mailbox }
            return (state.isArmed, state.life == .stopped)
        }
        if hasEnded { mailbox.end() } else if isArmed, mailbox.tellsStart { mailbox.put([started]) }
        if let token { tellDifferences(since: token) { [weak mailbox] in mailbox?.put($0) } }
        return mailbox
    }

    /// Ends one subscription; the others and the watch go on.
    func unsubscribe(_ mailbox: WatchMailbox) {
        mailbox.end()
        _ = state.withLock { $0.mailboxes.removeValue(forKey: ObjectIdentifier(mailbox)) }
    }

    /// How often the thread began to look at all that waited for it.
    var round: Int { rounds.load(ordering: .acquiring) }

    func beginRound() { rounds.add(1, ordering: .acquiringAndReleasing) }

    /// Whether there are folders that hints do not tell everything of.
    var polls: Bool { isPolling.load(ordering: .acquiring) }

    func report(polls: Bool) { isPolling.store(polls, ordering: .releasing) }

    func wake() { state.withLock { $0.waker }?.wake() }

    /// The mailboxes, in no order.
    var mailboxes: [WatchMailbox] { state.withLock { Array($0.mailboxes.values) } }

    /// Puts the events into every mailbox.
    func tell(_ events: [WatchEvent]) {
        guard !events.isEmpty else { return }
        for mailbox in state.withLock({ $0.mailboxes }).values { mailbox.put(events) }
    }

    /// What is there is known: from now on what changes is told.
    func armed() {
        let mailboxes = state.withLock { state in
            state.isArmed = true
            return state.mailboxes
        }
        for mailbox in mailboxes.values where mailbox.tellsStart { mailbox.put([started]) }
        resumeStarters()
    }

    private func endSubscriptions() {
        let mailboxes = state.withLock { state in
            defer { state.mailboxes = [:] }
            return state.mailboxes
        }
        for mailbox in mailboxes.values { mailbox.end() }
    }

    /// How many subscriptions there are, for tests.
    var subscriptionCount: Int { state.withLock { $0.mailboxes.count } }
}
