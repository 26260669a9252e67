#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    /// Rights beyond the mode, as other programs set and show them.
    @Suite("Writing: rights", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
    struct WritingRightsTests {
        private let directory: LiveDirectory

        init() throws { directory = try LiveDirectory() }

        private func rights(_ name: String) throws -> String {
            let outcome = try LiveProgram(["getfacl", "-n", "-c", "-p", directory.path(name)]).outcome()
            try #require(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }

        private func setRights(_ words: String..., of name: String) throws {
            let outcome = try LiveProgram(["setfacl"] + words + [directory.path(name)]).outcome()
            try #require(outcome.status == 0, "\(outcome.errors)")
        }

        @Test(
            .enabled(if: LiveGate.has("setfacl"), "setfacl is not installed"),
            arguments: ["u:65534:r,g:100:rw,m::r", "u:65534:rwx,m::-", "g:100:-", "u:0:rw,u:65534:-,o::r"])
        func anAccessControlListIsKept(list: String) throws {
            try directory.write("old", to: "f")
            try setRights("-m", list, of: "f")
            let before = try rights("f")
            for durability in [FileDurability.fast, .full] {
                try CoordinatedFile(durability: durability).write([1], to: directory.path("f"))
                #expect(try rights("f") == before)
            }
            try CoordinatedFile().write(to: directory.path("f")) { try $0.write([2]) }
            #expect(try rights("f") == before)
        }

        @Test(.enabled(if: LiveGate.has("setfacl"), "setfacl is not installed"))
        func aFoldersDefaultListGivesARewrittenFileNothingAndANewOneWhatAnyNewFileGets() throws {
            try directory.write("old", to: "d/plain")
            try LocalFileSystem().setMode(0o604, directory.path("d/plain"))
            try setRights("-d", "-m", "u:65534:rwx", of: "d")
            try directory.write("old", to: "d/inherited")
            for name in ["d/plain", "d/inherited"] {
                let before = try rights(name)
                try CoordinatedFile().write([1], to: directory.path(name))
                #expect(try rights(name) == before)
            }
            let made = open(directory.path("d/by hand"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o666)
            #expect(made >= 0 && close(made) == 0)
            try CoordinatedFile().write([1], to: directory.path("d/new"))
            #expect(try rights("d/new") == rights("d/by hand"))
        }
    }

    extension LocalFileSystem {
        fileprivate func setMode(_ mode: Int, _ path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }
#endif
