/// Where a test makes the storage fail: each hook may throw, which then stands for the failure of that step.
package struct StorageFaults: Sendable {
    /// Called with the SQL text before each step of a statement inside a transaction.
    package var beforeStatement: (@Sendable (String) throws -> Void)?
    /// Called when the body of a writing transaction has returned, before its commit.
    package var beforeCommit: (@Sendable () throws -> Void)?

    /// No faults, or the ones given.
    package init(
        beforeStatement: (@Sendable (String) throws -> Void)? = nil, beforeCommit: (@Sendable () throws -> Void)? = nil
    ) {
        self.beforeStatement = beforeStatement
        self.beforeCommit = beforeCommit
    }
}
