import Foundation
import Testing

/// Two or more Syncthing daemons on loopback, paired, with one folder; they end with the object.
final class SyncthingPair {
    let folders: [String]
    private var daemons: [Process] = []
    private let directory: LiveDirectory
    private let homes: [String]
    private let ports: [(sync: Int, api: Int)]
    private static let key = "foldersync-live-tests"

    /// - Parameter number: Another one for each pair that runs at the same time: they need ports of their own.
    init(in directory: LiveDirectory, number: Int = 0, daemons count: Int = 2) throws {
        self.directory = directory
        let base = try Self.freePorts(2 * count, number)
        ports = (0..<count).map { (base + 2 * $0, base + 2 * $0 + 1) }
        folders = ["a", "b", "c", "d"].prefix(count).map { directory.path("folder-\($0)") }
        homes = ["a", "b", "c", "d"].prefix(count).map { directory.path("home-\($0)") }
        let ids = try homes.map { try Self.generate($0) }
        for index in 0..<count {
            try FileManager.default.createDirectory(
                atPath: folders[index] + "/.stfolder", withIntermediateDirectories: true)
            try configuration(index, ids).write(toFile: homes[index] + "/config.xml", atomically: true, encoding: .utf8)
        }
        for home in homes { daemons.append(try Self.serve(home)) }
    }

    func end() {
        for daemon in daemons where daemon.isRunning { daemon.terminate() }
        for daemon in daemons { daemon.waitUntilExit() }
    }

    /// Stops and goes on exchanging with the others.
    func pause(_ index: Int) throws { try ask(index, "pause") }
    func resume(_ index: Int) throws { try ask(index, "resume") }

    private func ask(_ index: Int, _ what: String) throws {
        try LiveProgram.succeed(
            "curl", "-sS", "--fail", "--retry", "5", "--retry-connrefused", "-X", "POST", "-H",
            "X-API-Key: \(Self.key)", "http://127.0.0.1:\(ports[index].api)/rest/system/\(what)")
    }

    /// As when the machine loses its power, and is started again.
    func killAndRestart(_ index: Int) throws {
        kill(daemons[index].processIdentifier, SIGKILL)
        daemons[index].waitUntilExit()
        daemons[index] = try Self.serve(homes[index])
    }

    private static func syncthing(_ arguments: [String], output: Any?) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["syncthing"] + arguments
        // STMONITORED: the daemon itself, not a monitor that starts it, so that ending the process ends it.
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ST") }
        environment.merge(
            ["STMONITORED": "1", "STNOUPGRADE": "1", "STNORESTART": "1", "STNODEFAULTFOLDER": "1", "no_proxy": "*"]
        ) { $1 }
        if environment["HOME"] == nil { environment["HOME"] = NSTemporaryDirectory() }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return process
    }

    /// Makes a key and returns the device's id.
    private static func generate(_ home: String) throws -> String {
        let collector = FoldersyncProcess.Collector()
        try syncthing(["generate", "--home=\(home)"], output: collector.pipe).waitUntilExit()
        let match = try #require(
            collector.text().range(of: "[A-Z2-7]{7}(-[A-Z2-7]{7}){7}", options: .regularExpression).map {
                String(collector.text()[$0])
            }, "syncthing generate did not name the device")
        return match
    }

    private static func serve(_ home: String) throws -> Process {
        try syncthing(
            ["serve", "--home=\(home)", "--no-browser", "--no-restart", "--no-upgrade"],
            output: FileHandle.nullDevice)
    }

    /// The first of so many ports that nobody has, below those that the system gives to connections.
    private static func freePorts(_ count: Int, _ number: Int) throws -> Int {
        let first = Int(ProcessInfo.processInfo.processIdentifier) % 300
        let bases = (0..<300).map { 20_000 + 40 * ((first + $0) % 300) + 8 * number }
        return try #require(bases.first { ($0..<$0 + count).allSatisfy(isFree) }, "no ports are free")
    }

    private static func isFree(_ port: Int) -> Bool {
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, kind, 0)
        guard listener >= 0 else { return false }
        defer { close(listener) }
        // No program that another test starts just now may keep it.
        guard fcntl(listener, F_SETFD, FD_CLOEXEC) == 0 else { return false }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private func configuration(_ own: Int, _ ids: [String]) -> String {
        let devices = ids.indices.map {
            "<device id=\"\(ids[$0])\" compression=\"never\"><address>tcp://127.0.0.1:\(ports[$0].sync)</address></device>"
        }.joined()
        let members = ids.map { "<device id=\"\($0)\"></device>" }.joined()
        let off = [
            "globalAnnounceEnabled", "localAnnounceEnabled", "announceLANAddresses", "relaysEnabled", "natEnabled",
            "crashReportingEnabled", "startBrowser",
        ].map { "<\($0)>false</\($0)>" }.joined()
        return """
            <configuration version="36">
            <folder id="shared" path="\(folders[own])" type="sendreceive" rescanIntervalS="5" fsWatcherEnabled="true" \
            fsWatcherDelayS="1">\(members)<minDiskFree unit="%">0</minDiskFree></folder>
            \(devices)
            <gui enabled="true" tls="false"><address>127.0.0.1:\(ports[own].api)</address><apikey>\(Self.key)</apikey></gui>
            <options><listenAddress>tcp://127.0.0.1:\(ports[own].sync)</listenAddress>\(off)<urAccepted>-1</urAccepted>\
            <stunKeepaliveStartS>0</stunKeepaliveStartS><autoUpgradeIntervalH>0</autoUpgradeIntervalH>\
            <reconnectionIntervalS>1</reconnectionIntervalS><minHomeDiskFree unit="%">0</minHomeDiskFree></options>
            </configuration>
            """
    }
}
