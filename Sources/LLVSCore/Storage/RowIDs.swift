/// Row ids are 1 or more and less than the greatest integer, so that there is always a next one to compute.
func checkRowID(_ id: Int64) {
    precondition(id >= 1 && id < Int64.max, "A row's id is at least 1 and less than the greatest integer, got \(id).")
}

extension StoreError {
    /// The last id is taken, which no store reaches by itself.
    static func rowIDsUsedUp(in zone: RowZone, path: String? = nil) -> StoreError {
        StoreError(
            .damaged, "the rows of \(zone.name) reach the greatest number there is",
            remedy: "restore the store from a backup or get it again from the shared folder", path: path)
    }
}
