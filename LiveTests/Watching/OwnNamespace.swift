#if os(Linux)
    import Foundation
    import Testing

    /// Runs a test again in a child process that is alone in a user namespace, whose limits on inotify (inotify(7),
    /// namespaces(7)) are then nobody else's.
    enum OwnNamespace {
        private static let variable = "WATCHER_LIVE_NAMESPACE"
        static let isInside = ProcessInfo.processInfo.environment[variable] == "1"
        /// Not every system lets users, or processes in containers, make one.
        static let isAvailable =
            LiveGate.isOpen && LiveGate.has("unshare")
            && Program.succeeds("unshare", "--user", "--map-root-user", "true")
        static let reason: Comment = "unshare --user does not work here"

        /// The child's standard output; throws with it when the test fails there.
        static func run(_ test: String, watches: Int? = nil, instances: Int? = nil) throws -> String {
            var script = ""
            if let watches { script += "echo \(watches) > \(KernelSetting.watches.path) && " }
            if let instances { script += "echo \(instances) > \(KernelSetting.instances.path) && " }
            script += "exec \"$0\" \"$@\""
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let output = try Program.run(
                ["unshare", "--user", "--map-root-user", "sh", "-c", script, program] + arguments
                    + ["--testing-library", "swift-testing", "--filter", test],
                environment: [variable: "1"])
            // A filter that finds nothing succeeds too.
            try #require(output.contains("Test \(test)() passed"), "\(output)")
            return output
        }

        /// Elsewhere the tests are in a bundle that another program loads.
        private static var arguments: [String] {
            guard let flag = CommandLine.arguments.firstIndex(of: "--test-bundle-path") else { return [] }
            return Array(CommandLine.arguments[flag...].prefix(2))
        }
    }
#endif
