import LLVSCore

extension Command {
    static let remove = Command(
        syntax: CommandSyntax(
            name: "rm", summary: "Removes values.",
            arguments: [.store, .init(name: "KEY", count: .oneOrMore, help: "the names of the values")],
            details: ["All go in one version, or none if one of them is not there. Older versions still have them."])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let base = try await open.current()
        let ids = Set(try call.arguments.list("KEY").map { try Value.ID($0) })
        for id in ids.sorted() where try open.store.reference(of: id, at: base) == nil {
            throw CommandError("there is no value '\(id)'", remedy: "list the values with 'foldersync ls'")
        }
        let version = try await open.coordinator.save(ids.map { .remove($0) }, basedOn: base)
        try call.report(
            SavedVersion(version, after: base),
            ["removed \(counted(ids.count, "value")) in version \(try open.names.short(version.id))"])
    }
}
