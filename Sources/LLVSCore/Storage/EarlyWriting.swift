import CPlatform
import Dispatch

/// Has the system write a file to the disk while it grows, on a thread of its own, so that less is left for the flush at the end.
/// A hint: what is on the disk is decided by that flush alone.
enum EarlyWriting {
    private static let interval = DispatchTimeInterval.milliseconds(10)

    /// Runs `body`, which makes the file of the descriptor grow.
    static func during<Result>(_ descriptor: CInt, _ body: () throws -> Result) rethrows -> Result {
        let queue = DispatchQueue(label: "store: writing early")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { cplatform_start_writing(descriptor) }
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.resume()
        defer {
            timer.cancel()
            // The descriptor is the caller's again, and may be closed.
            queue.sync {}
        }
        return try body()
    }
}
