import FileCoordination

/// Takes events and prints them, each batch before it takes the next: what a slow reader does not take waits in the watcher,
/// which keeps a bounded number.
struct WatchRun: Sendable {
    let watcher: DirectoryWatcher
    let lines: WatchLines
    let output: Output
    let printsJSON: Bool

    /// Runs until the task is cancelled or the reader of the output has gone.
    /// - Throws: If the watch ends by itself.
    func run() async throws {
        output.onReaderGone { [watcher] in watcher.stop() }
        // A change is printed by the thread that found it, if the reader keeps up: waking another one would take as long as all
        // the rest.
        let isQuick = { @Sendable [output, printsJSON] in printsJSON && output.takesLine() }
        let failure = try await ThreadExecutor.run(named: "watch", atOnceIf: isQuick) { try await printAll() }
        try Task.checkCancellation()
        if output.isReaderGone() { return }
        throw failure ?? FileCoordinationError.watching(lines.place.path, .inputOutput)
    }

    /// Returns why not everything could be watched, if that was told.
    private func printAll() async throws -> FileCoordinationError? {
        var failure: FileCoordinationError?
        for await events in watcher.events {
            let bytes = printsJSON ? lines.json(events) : lines.text(events)
            // More could fill the pipe, and the watcher must not wait for its reader.
            if bytes.count > Output.quickSize { await Task.yield() }
            try output.bytes(bytes)
            try output.flush()
            for event in events {
                if case .polling(let reason) = event.kind { failure = reason }
            }
            if printsJSON { continue }
            let status = watcher.status
            for note in lines.notes(events, folders: status.watchedFolders + status.polledFolders) { Program.say(note) }
        }
        return failure
    }
}
