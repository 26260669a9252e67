import FileCoordination
import Testing

@Suite("Wording of errors")
struct ErrorWordingTests {
    @Test
    func anErrorSaysWhatHappenedAndWhatToDo() {
        #expect(
            FileCoordinationError.writing("/a/b", .noSpace).description
                == "cannot write '/a/b': the disk is full; free some space and try again")
        #expect(
            FileCoordinationError.writing("/a/b", .noSuchFile).description
                == "cannot write '/a/b': the folder it should be in does not exist; make the folder first")
        #expect(
            FileCoordinationError.watching("/a", .noSpace).description
                == "cannot watch '/a': the system's limit of watches is used up; "
                + "raise it with 'sysctl fs.inotify.max_user_watches=1048576'")
    }

    @Test(arguments: [
        (Errno.noSpace, FileCoordinationError.Code.noSpace), (.quotaExceeded, .quotaExceeded),
        (.readOnlyFileSystem, .readOnlyFileSystem), (.notPermitted, .notPermitted), (.accessDenied, .notPermitted),
        (.isDirectory, .isDirectory), (.notDirectory, .notDirectory), (.nameTooLong, .invalidName),
        (.noSuchFile, .noParent), (.busy, .busy), (.crossesDevices, .crossesDevices), (.linkLoop, .link),
        (.wouldBlock, .locked), (.tooManyFiles, .limitReached), (.inputOutput, .inputOutput),
        (.notConnected, .disconnected), (.staleHandle, .disconnected), (.notSupported, .notSupported),
    ])
    func everyCauseHasACode(errno: Errno, code: FileCoordinationError.Code) {
        let error = FileCoordinationError.writing("/a", errno)
        #expect(error.code == code)
        #expect(error.errno == errno)
        #expect(!error.remedy.isEmpty)
    }

    @Test
    func anErrnoSpeaksTheSystemsWords() {
        #expect(Errno.noSpace.description == "No space left on device (28)")
    }
}
