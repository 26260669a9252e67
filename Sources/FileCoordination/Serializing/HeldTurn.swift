import Synchronization

/// The turns that the current task's operations have: what it must not wait for.
final class HeldTurn: Sendable {
    @TaskLocal static var innermost: HeldTurn?

    private let line: LineKey
    private let lines: SerialLines
    private let outer: HeldTurn?
    private let task: Int?
    private let isOver = Atomic(false)

    /// The turn of the operation that this task runs now.
    init(_ line: LineKey, _ lines: SerialLines) {
        self.line = line
        self.lines = lines
        outer = Self.innermost
        task = Self.currentTask
    }

    /// Tasks that were started inside may outlive the operation.
    func end() { isOver.store(true, ordering: .releasing) }

    /// Whether an operation in this line that still runs started this task, or is run by it.
    static func isInherited(_ line: LineKey, of lines: SerialLines) -> Bool {
        any { $0.line == line && $0.lines === lines }
    }

    /// Whether this very task runs an operation in this line.
    static func isHeldByThisTask(_ line: LineKey, of lines: SerialLines) -> Bool {
        let current = currentTask
        return any { $0.line == line && $0.lines === lines && $0.task == current }
    }

    private static func any(_ fits: (HeldTurn) -> Bool) -> Bool {
        var turn = innermost
        while let held = turn {
            if !held.isOver.load(ordering: .acquiring), fits(held) { return true }
            turn = held.outer
        }
        return false
    }

    /// What tells running tasks apart.
    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
