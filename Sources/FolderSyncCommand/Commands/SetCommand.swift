import LLVSCore

extension CommandSyntax.Argument {
    static let store = Self(name: "STORE", help: "the folder of the store")
}

extension CommandSyntax.Option {
    static let version = Self(name: "--at", value: "VERSION", help: "as of this version instead of the current one")
}

/// What a command that saves prints.
struct SavedVersion: Encodable {
    let version: String
    /// False if the version is the one that was there.
    let changed: Bool

    init(_ version: Version, after base: Version.ID) {
        self.version = version.id.description
        changed = version.id != base
    }
}

extension Command {
    static let set = Command(
        syntax: CommandSyntax(
            name: "set", summary: "Saves a value.",
            arguments: [
                .store, .init(name: "KEY", help: "the name of the value"),
                .init(name: "VALUE|-", help: "its text, stored as UTF-8; '-' reads any bytes from standard input"),
            ],
            options: [.branch])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let id = try Value.ID(call["KEY"])
        let text = call["VALUE|-"]
        let content = text == "-" ? try standardInput() : .bytes(Array(text.utf8))
        let base = try await open.base(for: call)
        let version = try await open.save([.insert(Value(id: id, content: content))], basedOn: base, for: call)
        let result = SavedVersion(version, after: base)
        let short = try open.names.short(version.id)
        try call.report(result, [result.changed ? "saved version \(short)" : "nothing changed"])
    }
}
