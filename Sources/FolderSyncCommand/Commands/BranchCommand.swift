import LLVSCore

private struct BranchEntry: Encodable {
    let branch: String
    /// The versions it ends with; several where devices went on with it apart.
    let heads: [String]
}

extension CommandSyntax.Option {
    static let branch = Self(name: "--branch", value: "NAME", help: "save on this branch, not on the current version")
}

extension Command {
    static let branch = Command(
        syntax: CommandSyntax(
            name: "branch", summary: "Lists the branches of a store, or begins one.",
            arguments: [.store, .init(name: "NAME", count: .optional, help: "the name of a new branch")],
            options: [.version],
            details: [
                """
                A branch is a name that versions carry; they and the name travel to all devices. It is begun by a version
                without changes that carries it, on top of the current version or that of --at. It cannot be renamed or
                deleted, because versions never change.
                """,
                """
                'foldersync set --branch NAME' saves on it, 'foldersync merge --branch NAME' takes it into the current
                version, and where a VERSION is asked for, NAME stands for the newest version on it. Versions on branches are
                not merged unless that is asked for.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        guard let name = call.arguments.value("NAME") else {
            if call.arguments.has("--at") {
                throw UsageError(what: "--at says where a new branch begins, and no NAME is given", syntax: call.syntax)
            }
            let branches = try open.store.branches()
            if branches.isEmpty, !call.printsJSON { try call.output.line("no branches") }
            for branch in branches {
                let heads = try branch.heads.map { try open.names.short($0.id) }
                try call.report(
                    BranchEntry(branch: branch.branch.rawValue, heads: branch.heads.map(\.id.description)),
                    ["\(printable(branch.branch.rawValue))  \(heads.joined(separator: " "))"])
            }
            return
        }
        let branch = Branch(rawValue: name)
        if name.isEmpty || name == "head" {
            throw CommandError("a branch cannot be called '\(name)'", remedy: "choose another name")
        }
        if name.utf8.count >= 4, try !open.store.versionIDs(startingWith: name, limit: 1).isEmpty {
            throw CommandError(
                "'\(name)' is the beginning of a version's id", remedy: "choose a name that cannot be taken for one")
        }
        if try !open.store.heads(of: branch).isEmpty {
            throw CommandError(
                "there is a branch '\(name)' already",
                remedy: "save on it with 'foldersync set --branch', or choose another name")
        }
        let base = try await open.version(call.arguments.value("--at"))
        if base == .root { throw CommandError("the store has no version yet", remedy: "save a value first") }
        let version = try open.store.makeEmptyVersion(basedOn: base, branch: branch)
        try call.report(
            BranchEntry(branch: name, heads: [version.id.description]),
            ["began branch \(printable(name)) with version \(try open.names.short(version.id))"])
    }
}

extension OpenStore {
    /// Where `--branch` saves, and what commands that name a branch mean: its newest head.
    func head(of name: String) throws -> Version {
        if let head = try store.heads(of: Branch(rawValue: name)).last { return head }
        throw CommandError(
            "there is no branch '\(name)'", remedy: "begin it with 'foldersync branch', which also lists the branches")
    }

    /// The version that a save of this call is based on.
    @MainActor
    func base(for call: Invocation) async throws -> Version.ID {
        if let name = call.arguments.value("--branch") { return try head(of: name).id }
        return try await current()
    }

    /// Saves on the current version, or on the branch of `--branch`.
    @MainActor
    func save(_ changes: [Value.Change], basedOn base: Version.ID, for call: Invocation) async throws -> Version {
        guard let name = call.arguments.value("--branch") else {
            return try await coordinator.save(changes, basedOn: base)
        }
        return try store.makeVersion(basedOn: base, changes: changes, branch: Branch(rawValue: name))
    }
}
