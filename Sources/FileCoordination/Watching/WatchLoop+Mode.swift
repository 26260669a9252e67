extension WatchLoop {
    /// Where hints come from; nil, and the reason, if there is nothing.
    static func makeSource(
        _ core: WatchCore
    ) -> (source: (any WatchEventSource)?, failure: FileCoordinationError?) {
        if core.options.pollsOnly { return (nil, .pollingAskedFor(core.root)) }
        do {
            let source = try core.makeSource()
            return (source, source == nil ? .watching(core.root, .notSupported) : nil)
        } catch { return (nil, .watching(core.root, error)) }
    }

    /// What the kernel refused, because a limit was reached, is asked for again: it may have been given free.
    func retrySource() {
        guard tree.source == nil, sourceFailure?.code == .limitReached else { return }
        let (source, failure) = Self.makeSource(core)
        sourceFailure = failure
        if let source { tree.use(source) }
    }

    /// Why not everything is watched; nil if it is.
    private var pollingReason: FileCoordinationError? {
        if tree.source == nil { return sourceFailure }
        let counts = tree.counts
        if counts.watched + counts.unknown < counts.folders, let watchFailure { return watchFailure }
        return counts.blind > 0 ? tree.blindness : nil
    }

    func findPhase() -> WatchStatus.Phase {
        if tree.rootFailure != nil || tree.rootIdentity == nil { return .rootMissing }
        return pollingReason.map { .polling($0) } ?? .watching
    }

    /// Says so when the mode changes.
    func tellMode(before: WatchStatus.Phase, now: WatchStatus.Phase) {
        guard before != now else { return }
        if case .polling(let reason) = now {
            hasToldPolling = true
            core.tell([WatchEvent(.polling(reason), path: core.root, isDirectory: true)])
        } else if now == .watching, hasToldPolling {
            hasToldPolling = false
            core.tell([WatchEvent(.watching, path: core.root, isDirectory: true)])
        }
    }
}
