import FileCoordination
import LLVSCore

extension Command {
    static let initialize = Command(
        syntax: CommandSyntax(
            name: "init", summary: "Makes a new, empty store.",
            arguments: [.init(name: "STORE", help: "the folder that becomes the store; it must not exist yet")],
            details: [
                """
                A store is a folder of this device, private to you. It is not the shared folder and must not lie in it: attach it
                to one with 'foldersync attach'.
                """
            ])
    ) { call in
        struct Result: Encodable {
            let store: String
        }

        let name = call["STORE"]
        let path = RealPath(name)
        do {
            try Store.create(at: path.text).close()
        } catch let error as StoreError where error.code == .storeExists {
            throw CommandError("'\(name)' exists already", remedy: "use it, or choose another path")
        }
        try call.report(Result(store: path.text), ["made a new store at \(printable(name))"])
    }
}
