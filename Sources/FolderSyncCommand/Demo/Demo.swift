import FolderSync
import Foundation
import LLVSCore

/// The story that `foldersync demo` plays: every file and every byte in it is real.
@MainActor
struct Demo {
    private let call: Invocation
    private let stage: DemoStage
    private var story: Story

    init(_ call: Invocation, on stage: DemoStage) {
        self.call = call
        self.stage = stage
        story = Story(call)
    }

    /// Returns whether both devices have the same values in the end.
    consuming func play() async throws -> Bool {
        try story.say([
            "Two devices keep notes in sync through a shared folder. Each has a copy of the folder; a courier carries files from",
            "one to the other, as Dropbox, Syncthing or a USB stick would. No server, no lock.",
        ])
        let (laptop, desktop, courier) = try await setUp()
        defer { for device in [laptop, desktop] { Self.close(device) } }
        try await editOnBothSides(laptop, desktop, courier)
        try await conflict(laptop, desktop, courier)
        try await arriveTorn(laptop, desktop, courier)
        try await goOffline(laptop, desktop, courier)
        return try await conclude(laptop, desktop)
    }

    private static func close(_ device: DemoDevice) {
        do { try device.close() } catch { Program.say(errorLine(error)) }
    }

    /// Both sync until nothing is left to carry: a round each, and one for the merges.
    private func settle(_ first: DemoDevice, _ second: DemoDevice, _ courier: Courier) async throws {
        for round in 0..<6 {
            try Task.checkCancellation()
            var isQuiet = round > 0
            for device in [first, second] {
                let report = try await device.sync(story).report
                let carried = try carry(courier)
                if report.sent > 0 || report.imported > 0 || carried > 0 { isQuiet = false }
            }
            if isQuiet { return }
        }
    }

    @discardableResult
    private func carry(_ courier: Courier) throws -> Int {
        let count = try courier.carry()
        if count > 0 { try story.tell("courier", "carries \(counted(count, "file"))") }
        return count
    }

    private func show(_ notes: [String], on device: DemoDevice) async throws {
        var parts: [String] = []
        for note in notes { parts.append("\(note): '\(try await device.read(note))'") }
        try story.tell(device.name, "has " + parts.joined(separator: ", "))
    }

    // MARK: Acts

    private mutating func setUp() async throws -> (DemoDevice, DemoDevice, Courier) {
        try story.act("Set up")
        let laptop = try DemoDevice("laptop", in: try stage.folder("laptop"), creating: true)
        try await laptop.write(["dinner": "pasta", "shopping": "milk, bread", "ideas": "a garden"])
        try story.tell("laptop", "makes a store, attaches it to its shared folder, writes three notes")
        try await laptop.sync(story)
        let home = try stage.folder("desktop")
        let courier = Courier(replicas: [laptop.replica, try stage.folder("desktop/Shared")])
        try carry(courier)
        let desktop = try DemoDevice("desktop", in: home, creating: false)
        try await desktop.sync(story)
        try await show(["dinner", "shopping", "ideas"], on: desktop)
        return (laptop, desktop, courier)
    }

    private mutating func editOnBothSides(
        _ laptop: DemoDevice, _ desktop: DemoDevice, _ courier: Courier
    ) async throws {
        try story.act("Edits on both sides, of different notes")
        try await laptop.write(["shopping": "milk, bread, apples"])
        try story.tell("laptop", "changes 'shopping'")
        try await desktop.write(["recipes/soup": "an onion and patience"])
        try story.tell("desktop", "adds 'recipes/soup'")
        try await settle(laptop, desktop, courier)
        for device in [laptop, desktop] { try await show(["shopping", "recipes/soup"], on: device) }
    }

    private mutating func conflict(_ laptop: DemoDevice, _ desktop: DemoDevice, _ courier: Courier) async throws {
        try story.act("A true conflict: both change the same note")
        let texts = ["curry", "pizza"]
        var versions: [Version.ID] = []
        for (device, text) in zip([laptop, desktop], texts) {
            try await device.write(["dinner": text])
            versions.append(try await device.open.current())
            try story.tell(device.name, "changes 'dinner' to '\(text)'")
        }
        try await settle(laptop, desktop, courier)
        for device in [laptop, desktop] { try await show(["dinner"], on: device) }
        let winner = try await laptop.read("dinner")
        guard let lost = texts.firstIndex(where: { $0 != winner }) else { return }
        let short = try desktop.open.names.short(versions[lost])
        let kept = try await desktop.read("dinner", at: versions[lost])
        try story.tell("both", "decided alike, without asking each other; version \(short) still has '\(kept)'")
    }

    private mutating func arriveTorn(_ laptop: DemoDevice, _ desktop: DemoDevice, _ courier: Courier) async throws {
        try story.act("A file arrives late and torn")
        let letter = (1...200).map { "Line \($0) of a long letter.\n" }.joined()
        try await laptop.write(["letter": letter])
        try story.tell("laptop", "writes 'letter', \(letter.utf8.count) bytes")
        try await laptop.sync(story)
        try courier.carry(isTorn: true)
        try story.tell("courier", "is interrupted: only half of the new file arrives")
        let torn = try await desktop.sync(story)
        if torn.report.waiting.isEmpty { throw Self.unexpected("a torn file was not noticed") }
        try story.tell("desktop", "goes on with what it has: dinner is still '\(try await desktop.read("dinner"))'")
        try courier.carry()
        try story.tell("courier", "brings the rest")
        try await desktop.sync(story)
        try story.tell("desktop", "has all \(try await desktop.read("letter").utf8.count) bytes of 'letter'")
        try await settle(laptop, desktop, courier)
    }

    private mutating func goOffline(_ laptop: DemoDevice, _ desktop: DemoDevice, _ courier: Courier) async throws {
        try story.act("A device is offline for a while")
        let away = desktop.replica + " (away)"
        try FileManager.default.moveItem(atPath: desktop.replica, toPath: away)
        try FileManager.default.createDirectory(atPath: desktop.replica, withIntermediateDirectories: false)
        try story.tell("desktop", "loses its shared folder: an empty mount point is left")
        try await desktop.write(["ideas": "a garden, with bees", "recipes/bread": "flour, water, salt, time"])
        try story.tell("desktop", "works on: changes 'ideas', adds 'recipes/bread'")
        do {
            try await desktop.sync(story)
            throw Self.unexpected("an empty folder was taken for the shared one")
        } catch let error as FolderSyncError where error.code == .folderEmptyOrUnmounted {
            try story.tell("desktop", "cannot sync: \(error.what)")
        }
        try await laptop.write(["shopping": "nothing, all done"])
        try story.tell("laptop", "changes 'shopping' meanwhile")
        try await laptop.sync(story)
        try FileManager.default.removeItem(atPath: desktop.replica)
        try FileManager.default.moveItem(atPath: away, toPath: desktop.replica)
        try story.tell("desktop", "is back")
        try await settle(desktop, laptop, courier)
        for device in [laptop, desktop] { try await show(["shopping", "ideas"], on: device) }
    }

    private mutating func conclude(_ laptop: DemoDevice, _ desktop: DemoDevice) async throws -> Bool {
        try story.act("The end: one history, equal values")
        try story.say([""] + (try await Command.graphLines(of: desktop.open)).map { "   " + $0 } + [""])
        try story.say([
            "   A merge without a conflict is not shared: each device makes the same one by itself.", "",
        ])
        let digests = [try await laptop.digest(), try await desktop.digest()]
        for (device, digest) in zip([laptop, desktop], digests) {
            try story.tell(device.name, "digest \(digest.base32)")
        }
        let areEqual = digests[0] == digests[1]
        if areEqual { try story.tell("both", "are equal, byte for byte") }
        return areEqual
    }

    private static func unexpected(_ what: String) -> CommandError {
        CommandError(what, remedy: "report this: it must not happen")
    }
}
