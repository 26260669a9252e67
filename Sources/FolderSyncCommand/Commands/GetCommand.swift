import Foundation
import LLVSCore

extension Command {
    static let get = Command(
        syntax: CommandSyntax(
            name: "get", summary: "Prints the bytes of a value, nothing added.",
            arguments: [.store, .init(name: "KEY", help: "the name of the value")], options: [.version],
            details: ["With --json: an object with the value as 'text', or as 'base64' if it is not UTF-8."])
    ) { call in
        struct Result: Encodable {
            let id: String
            let size: UInt64
            var text: String?
            var base64: String?
        }

        let open = try OpenStore(at: call["STORE"])
        let id = try Value.ID(call["KEY"])
        let version = try await open.version(call.arguments.value("--at"))
        guard let content = try open.store.content(of: id, at: version) else {
            guard let name = call.arguments.value("--at") else {
                throw CommandError("there is no value '\(id)'", remedy: "list the values with 'foldersync ls'")
            }
            throw CommandError(
                "there is no value '\(id)' at version '\(name)'",
                remedy: "list the versions that changed it with 'foldersync log --key'")
        }
        guard call.printsJSON else {
            return try content.forEachPiece(of: 1 << 16) { try call.output.bytes($0) }
        }
        let bytes = try content.allBytes()
        var result = Result(id: id.rawValue, size: content.size)
        result.text = String(validating: bytes, as: UTF8.self)
        if result.text == nil { result.base64 = Data(bytes).base64EncodedString() }
        try call.output.object(result)
    }
}
