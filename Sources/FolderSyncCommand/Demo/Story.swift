/// Tells the demo, to people as acts and lines, to programs as objects.
@MainActor
struct Story {
    private struct Event: Encodable {
        let act: String
        let who: String
        let event: String
    }

    let call: Invocation
    private var act = ""
    private var number = 0

    init(_ call: Invocation) {
        self.call = call
    }

    mutating func act(_ title: String) throws {
        number += 1
        act = title
        if !call.printsJSON { try call.output.line("\n\(number). \(title)") }
        try call.output.flush()
    }

    /// What someone does or sees.
    func tell(_ who: String, _ event: String) throws {
        let name = who + String(repeating: " ", count: max(0, 8 - who.count))
        try call.report(Event(act: act, who: who, event: event), ["   \(name) \(printable(event))"])
        try call.output.flush()
    }

    /// For people only.
    func say(_ lines: [String]) throws {
        if call.printsJSON { return }
        for line in lines { try call.output.line(line) }
    }
}
