import FileCoordination

/// Turns events into lines, for programs or for people.
struct WatchLines: Sendable {
    let place: WatchedPlace
    private let escapedPlace: [UInt8]

    init(_ place: WatchedPlace) {
        self.place = place
        escapedPlace = JSONLines.escaped(place.spelled)
    }

    // MARK: For programs

    /// An object for each event, together, so that one write can take them.
    func json(_ events: [WatchEvent]) -> [UInt8] {
        var lines = JSONLines(capacity: events.count * 96)
        for event in events {
            lines.begin()
            switch event.kind {
            case .rescan(.started): lines.member("event", "ready")
            case .rescan(let reason):
                lines.member("event", "rescan")
                addPath(of: event, to: &lines)
                lines.member("reason", reason.text)
            case .polling(let reason):
                lines.member("event", "polling")
                lines.member("reason", reason.description)
            case .watching: lines.member("event", "watching")
            case .created, .modified:
                lines.member("event", "changed")
                addPath(of: event, to: &lines)
            case .removed:
                lines.member("event", "removed")
                addPath(of: event, to: &lines)
            }
            lines.end()
        }
        return lines.bytes
    }

    private func addPath(of event: WatchEvent, to lines: inout JSONLines) {
        if let rest = place.rest(of: event.path), !(escapedPlace.isEmpty && rest.isEmpty) {
            lines.member("path", escaped: escapedPlace, rest)
        } else {
            lines.member("path", place.spelling(of: event.path))
        }
        if event.isDirectory { lines.member("isFolder", true) }
    }

    // MARK: For people

    /// One line an event on standard output; ``notes(_:_:)`` has the others.
    func text(_ events: [WatchEvent]) -> [UInt8] {
        var bytes: [UInt8] = []
        for event in events {
            let word: String
            var end = event.isDirectory && !event.path.hasSuffix("/") ? "/" : ""
            switch event.kind {
            case .rescan(.started), .polling, .watching: continue
            case .rescan(let reason):
                word = "rescan   "
                end += "  (\(reason.text): anything in it may have changed)"
            case .created, .modified: word = "changed  "
            case .removed: word = "removed  "
            }
            bytes += "\(word)\(printable(place.spelling(of: event.path)))\(end)\n".utf8
        }
        return bytes
    }

    /// What people are told of the watch itself, on standard error.
    func notes(_ events: [WatchEvent], folders: @autoclosure () -> Int) -> [String] {
        let name = "'\(printable(place.spelling(of: place.path)))'"
        return events.compactMap { event in
            switch event.kind {
            case .rescan(.started): "watching \(name), \(counted(folders(), "folder")); Ctrl-C ends it"
            case .polling(let reason): "only looking again and again: \(printable(reason.description))"
            case .watching: "watching everything again"
            case .removed where event.path == place.path: "\(name) is gone; waiting for it to come back"
            case .created where event.path == place.path: "\(name) is there again"
            case .created, .modified, .removed, .rescan: nil
            }
        }
    }
}

extension WatchEvent.RescanReason {
    /// Stable: programs may compare it.
    fileprivate var text: String {
        switch self {
        case .started: "started"
        case .eventsLost: "events were lost"
        case .backlog: "more changes than were read"
        }
    }
}
