import Foundation

extension Output {
    /// Calls `body` once, from a thread of its own, when whoever reads the pipe or socket has gone: a program that prints
    /// seldom would find out late. Files and terminals have no such reader.
    func onReaderGone(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            if isReaderGone(after: -1) { body() }
        }
    }

    /// So many bytes can be written without waiting while ``takesLine()`` says so: a page of a pipe (`pipe(7)`).
    static let quickSize = 4096

    /// Whether a line can be written without waiting for the reader.
    func takesLine() -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, 0) > 0 && polled.revents == Int16(POLLOUT)
    }

    /// Whether nobody is there to read any more; waits for that as many milliseconds, or without end if negative.
    func isReaderGone(after milliseconds: Int32 = 0) -> Bool {
        // poll(2) tells of POLLERR and POLLHUP unasked, and of POLLNVAL, which is another matter.
        var polled = pollfd(fd: descriptor, events: 0, revents: 0)
        while true {
            let count = poll(&polled, 1, milliseconds)
            if count < 0, errno == EINTR { continue }
            return count > 0 && polled.revents & Int16(POLLERR | POLLHUP) != 0
        }
    }
}
