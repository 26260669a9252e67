import FileCoordination

/// One factory per situation: the wording is in one place.
extension FolderSyncError {
    static func cannotList(_ path: String, _ error: Errno) -> FolderSyncError {
        switch error {
        case .noSuchFile, .notDirectory:
            FolderSyncError(
                .folderMissing, "the shared folder is missing or not mounted; nothing was changed",
                remedy: "mount it or wait for it to come back, or attach the folder it was moved to", path: path)
        default:
            FolderSyncError(
                .inputOutput, "the shared folder cannot be listed", remedy: "check its rights and its disk", path: path,
                cause: "\(error)")
        }
    }

    static func emptyOrUnmounted(_ path: String) -> FolderSyncError {
        FolderSyncError(
            .folderEmptyOrUnmounted,
            "the shared folder is empty or not mounted: no identity card is there; nothing was changed",
            remedy: "mount it or wait until it has synced; to set up a new folder, attach it with --create", path: path)
    }

    static func notAttached(_ path: String?) -> FolderSyncError {
        FolderSyncError(
            .notAttached, "the store is not attached to this folder", remedy: "attach it with `foldersync attach`",
            path: path)
    }

    static func cardArriving(_ path: String) -> FolderSyncError {
        FolderSyncError(
            .cardArriving, "the folder's identity card has not arrived completely", remedy: "wait until it has synced",
            path: path)
    }

    static func cardDamaged(_ path: String, _ reason: String) -> FolderSyncError {
        FolderSyncError(
            .cardDamaged, "the folder's identity card is damaged: \(reason)",
            remedy: "attach the folder with --create from a device of this store, which writes the same card again",
            path: path)
    }

    static func newerFormat(_ path: String, _ reason: String) -> FolderSyncError {
        FolderSyncError(
            .newerFormat, "the folder was made by a newer version of this software: \(reason)",
            remedy: "update this software", path: path)
    }

    static func transformMissing(_ path: String, _ name: String) -> FolderSyncError {
        FolderSyncError(
            .transformMissing,
            "this store seals what it writes there by '\(name)', which is not given; nothing was changed",
            remedy: "use the program that the store belongs to, or give it the transform of this name", path: path)
    }

    static func wrongKey(_ path: String, _ name: String) -> FolderSyncError {
        FolderSyncError(
            .wrongKey, "the files of the folder are sealed by '\(name)' with another key; nothing was sent",
            remedy: "give the key that the other devices use", path: path)
    }

    static func cannotSeal(_ name: String, _ error: any Error) -> FolderSyncError {
        FolderSyncError(
            .transformFailed, "'\(name)' cannot seal what is to be sent; it waits",
            remedy: "see to the app's transform",
            cause: "\(error)")
    }

    static func secondCard(_ path: String, _ found: [StoreIdentity]) -> FolderSyncError {
        FolderSyncError(
            .secondCard,
            "two stores share this folder (\(found.map(\.description).joined(separator: ", "))); nothing was changed",
            remedy:
                "perhaps --create was used on two devices: on all devices of one of them, attach the store again with "
                + "--adopt, and its versions merge into the other", path: path)
    }

    static func otherStore(_ path: String, _ found: StoreIdentity) -> FolderSyncError {
        FolderSyncError(
            .otherStore, "the folder belongs to another store, \(found); nothing was changed",
            remedy: "attach this store to a folder of its own, or with --adopt to merge it into that one", path: path)
    }

    static func adopted(_ path: String, by new: StoreIdentity) -> FolderSyncError {
        FolderSyncError(
            .otherStore, "another device has merged this folder's store into another one, \(new); nothing was changed",
            remedy: "attach this store to the folder again, with --adopt, to follow", path: path)
    }
}
