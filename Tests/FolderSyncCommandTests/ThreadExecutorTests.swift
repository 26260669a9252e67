import Foundation
import Synchronization
import Testing

@testable import FolderSyncCommand

@Suite("Thread of a task")
struct ThreadExecutorTests {
    /// Resumes a task that waits, from a thread that runs none, and says whether it went on there.
    private func goesOnWhereItIsResumed(isQuick: Bool, yields: Bool = false) async throws -> Bool {
        let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let resumer = Mutex<pthread_t?>(nil)
        let thread = Thread {
            while true {
                if let continuation = waiting.withLock({ $0.take() }) {
                    resumer.withLock { $0 = pthread_self() }
                    return continuation.resume()
                }
                usleep(1000)
            }
        }
        thread.start()
        let keepsNobodyWaiting = { @Sendable in isQuick }
        return try await ThreadExecutor.run(named: "test", atOnceIf: keepsNobodyWaiting) {
            await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
            if yields { await Task.yield() }
            return resumer.withLock { resumer in resumer.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        }
    }

    @Test("A job that keeps nobody waiting runs on the thread that made it ready, any other on its own")
    func quickJobsRunAtOnce() async throws {
        #expect(try await goesOnWhereItIsResumed(isQuick: true))
        #expect(try await !goesOnWhereItIsResumed(isQuick: false))
        #expect(try await !goesOnWhereItIsResumed(isQuick: true, yields: true))
    }

    @Test("A pipe that is full takes no line without waiting")
    func aFullPipeTakesNoLine() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let output = Output(descriptor: descriptor)
        #expect(output.takesLine())
        let flags = fcntl(descriptor, F_GETFL)
        try #require(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
        let page = [UInt8](repeating: 0x78, count: Output.quickSize)
        while output.takesLine() { #expect(write(descriptor, page, page.count) == page.count) }
        #expect(write(descriptor, page, page.count) < 0)
        withExtendedLifetime(pipe) {}
    }
}
