import LLVSCore

extension Command {
    static let revert = Command(
        syntax: CommandSyntax(
            name: "revert", summary: "Makes a value what it was at a version.",
            arguments: [.store, .init(name: "KEY", help: "the name of the value")],
            options: [
                .init(name: "--at", value: "VERSION", isRequired: true, help: "the version that has what is wanted")
            ],
            details: [
                """
                Saves a new version on top of the current one, in which the value has the content of VERSION, or is absent if it
                was absent there. Nothing else changes and nothing is lost. 'foldersync log STORE --key KEY' lists the
                versions that changed the value, 'foldersync forks STORE' the sides that lost a merge.
                """
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let id = try Value.ID(call["KEY"])
        let version = try await open.version(call["--at"])
        let base = try await open.current()
        let old = try open.store.content(of: id, at: version)
        let now = try open.store.reference(of: id, at: base)
        if old == nil && now == nil {
            throw CommandError(
                "there is no value '\(id)', now or at version \(try open.names.short(version))",
                remedy: "list what was with 'foldersync log --key'")
        }
        let change = old.map { Value.Change.insert(Value(id: id, content: $0)) } ?? .remove(id)
        let saved = try await open.coordinator.save([change], basedOn: base)
        let result = SavedVersion(saved, after: base)
        let short = try open.names.short(saved.id)
        let done = "\(old == nil ? "removed" : "reverted") \(printable(id.rawValue)) in version \(short)"
        try call.report(result, [result.changed ? done : "nothing changed"])
    }
}
