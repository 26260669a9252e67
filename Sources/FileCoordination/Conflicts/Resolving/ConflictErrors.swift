extension FileCoordinationError.Code {
    /// The copy, or the file it is a copy of, is not as it was when the copy was listed.
    public static let conflictChanged = Self(rawValue: "conflictChanged")
    /// Not a conflict copy's name, or not a copy of that file.
    public static let notConflict = Self(rawValue: "notConflict")
    /// Nothing is known of how the copy was, so that a change could not be seen.
    public static let conflictNotListed = Self(rawValue: "conflictNotListed")
}

extension FileCoordinationError.Operation {
    /// Dealing with a conflict copy.
    public static let resolve = Self(rawValue: "resolve the conflict")
}

extension FileCoordinationError {
    static func conflictChanged(_ path: String) -> Self {
        Self(
            .conflictChanged, .resolve, path: path, because: "'\(path)' changed since the conflict was listed",
            remedy: "list the conflicts again and look at it")
    }

    static func notConflict(_ path: String) -> Self {
        Self(
            .notConflict, .resolve, path: path, because: "its name is not a conflict copy's",
            remedy: "delete or rename it yourself if it is one")
    }

    static func notCopy(_ path: String, of original: String) -> Self {
        Self(
            .notConflict, .resolve, path: path, because: "it is not a copy of '\(original)'",
            remedy: "give the original that the listing names")
    }

    static func conflictNotListed(_ path: String) -> Self {
        Self(
            .conflictNotListed, .resolve, path: path, because: "it was not listed as a conflict",
            remedy: "list the conflicts first")
    }
}
