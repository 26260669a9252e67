import LLVSCore

extension Command {
    static let remove = Command(
        syntax: CommandSyntax(
            name: "rm", summary: "Removes values.",
            arguments: [.store, .init(name: "KEY", count: .oneOrMore, help: "the names of the values")],
            options: [.branch],
            details: ["All go in one version, or none if one of them is not there. Older versions still have them."])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let base = try await open.base(for: call)
        let ids = Set(try call.arguments.list("KEY").map { try Value.ID($0) })
        for id in ids.sorted() where try open.store.reference(of: id, at: base) == nil {
            throw CommandError("there is no value '\(id)'", remedy: "list the values with 'foldersync ls'")
        }
        let version = try await open.save(ids.map { .remove($0) }, basedOn: base, for: call)
        try call.report(
            SavedVersion(version, after: base),
            ["removed \(counted(ids.count, "value")) in version \(try open.names.short(version.id))"])
    }
}
