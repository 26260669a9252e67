import Foundation
import Synchronization

/// A bar on standard error while something takes long: drawn only on a terminal, ten times a second at most, and wiped when
/// it is done. Piped, it prints nothing.
final class ProgressBar: Sendable {
    private struct State {
        var lastDrawn: ContinuousClock.Instant?
        var isVisible = false
    }

    private static let interval = Duration.milliseconds(100)
    private static let width = 30

    private let title: String
    private let isTerminal: Bool
    private let state = Mutex(State())

    init(_ title: String) {
        self.title = title
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    /// Shows that `done` of `total` are done; without a total, only the number.
    /// - Parameter note: what else is to be said of it.
    func show(_ done: Int, of total: Int? = nil, note: String = "") {
        guard isTerminal else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            // Nothing appears for work that is done at once.
            let last = state.lastDrawn ?? now
            if state.lastDrawn == nil { state.lastDrawn = now }
            guard now - last >= Self.interval else { return }
            state.lastDrawn = now
            state.isVisible = true
            let text = Self.text(title, done, total)
            draw("\r\(note.isEmpty ? text : "\(text), \(note)")\u{1b}[K")
        }
    }

    /// Wipes it, so that other lines can be printed.
    func clear() {
        guard isTerminal else { return }
        state.withLock { state in
            if state.isVisible { draw("\r\u{1b}[K") }
            state.isVisible = false
        }
    }

    static func text(_ title: String, _ done: Int, _ total: Int?) -> String {
        guard let total, total > 0 else { return "\(title) \(done)" }
        let share = min(max(Double(done) / Double(total), 0), 1)
        let filled = Int(share * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "\(title) [\(bar)] \(Int(share * 100)) %"
    }

    private func draw(_ text: String) {
        Program.write(toStandardError: text)
    }
}
