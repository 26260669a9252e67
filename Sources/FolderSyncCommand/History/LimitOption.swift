extension CommandSyntax.Option {
    static let limit = Self(name: "--limit", value: "N", help: "only the newest N")
}

extension Invocation {
    /// The number of `--limit`, if it was given.
    func limit() throws -> Int? {
        try arguments.value(CommandSyntax.Option.limit.name).map { text in
            guard let limit = Int(text), limit >= 0 else {
                throw UsageError(what: "--limit needs a number, not '\(text)'", syntax: syntax)
            }
            return limit
        }
    }
}
