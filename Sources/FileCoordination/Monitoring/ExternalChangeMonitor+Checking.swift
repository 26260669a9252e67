import Synchronization

extension ExternalChangeMonitor {
    /// Looks now, whatever the cadence and whether or not it runs, and returns when a look that began after the call is done.
    /// Calls that wait at the same time share one look.
    ///
    /// - Returns: What the look said.
    /// - Throws: `CancellationError` if the task is cancelled before.
    @discardableResult
    public func checkNow() async throws(CancellationError) -> State {
        // One that is under way may have looked already at what the caller means.
        let wanted = begun + 1
        while done < wanted {
            if Task.isCancelled { throw CancellationError() }
            await checkOrJoin()
        }
        return state
    }

    /// Makes a look, or waits for the end of the one that is under way.
    func checkOrJoin() async {
        if isChecking {
            await ends.wait(beyond: ends.count)
        } else {
            await check()
        }
    }

    private func check() async {
        begun += 1
        let number = begun
        isChecking = true
        let seen: Result<ChangeFingerprint, any Error>
        do { seen = .success(try await probe.fingerprint()) } catch { seen = .failure(error) }
        isChecking = false
        // A failure under cancellation says nothing about the place; who waits makes another look.
        let isCancelled = Task.isCancelled
        switch seen {
        case .success(let fingerprint): note(fingerprint, number)
        case .failure(let error) where !isCancelled:
            done = number
            move(to: .offline(reason: "\(error)"))
        case .failure: break
        }
        ends.advance()
    }

    private func note(_ fingerprint: ChangeFingerprint, _ number: Int) {
        done = number
        move(to: .online)
        if let known, known != fingerprint { changed.send(fingerprint) }
        known = fingerprint
    }

    private func move(to new: State) {
        let isNew = current.withLock { state in
            defer { state = new }
            return state != new
        }
        if isNew { stated.send(new) }
    }
}
