import LLVSCore

extension Command {
    static let list = Command(
        syntax: CommandSyntax(
            name: "ls", summary: "Lists the names of values.",
            arguments: [
                .store, .init(name: "PREFIX", count: .optional, help: "only those whose names start with this"),
            ],
            options: [.version],
            details: ["In the order of the bytes of the names; control characters in them are shown as escapes."])
    ) { call in
        struct Result: Encodable {
            let id: String
            /// SHA-256 of the content.
            let hash: String
            /// The version that stored it.
            let version: String
        }

        let open = try OpenStore(at: call["STORE"])
        let version = try await open.version(call.arguments.value("--at"))
        // Collected first: a slow reader of the output must not hold a transaction open.
        var references: [Value.Reference] = []
        try open.store.forEachValue(at: version, prefix: call.arguments.value("PREFIX") ?? "") {
            references.append($0)
            return true
        }
        for value in references {
            let id = value.id.rawValue
            try call.report(
                Result(id: id, hash: value.contentHash.base32, version: value.version.description), [printable(id)])
        }
    }
}
