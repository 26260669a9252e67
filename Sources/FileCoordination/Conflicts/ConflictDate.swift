/// The date in a copy's name, as precise as the name has it.
///
/// It is a local time of the device that wrote it, unless ``isUTC``; no name says which zone that is, so that it cannot be
/// turned into a moment, and two dates of different devices cannot be compared to the hour. What it is the date *of* differs
/// from service to service: when the conflict was seen (Syncthing), or when the copy was last changed (Nextcloud).
public struct ConflictDate: Hashable, Sendable, CustomStringConvertible {
    /// From 1970 on.
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to the last of the month.
    public var day: Int
    /// 0 to 23.
    public var hour: Int?
    /// 0 to 59.
    public var minute: Int?
    /// 0 to 60.
    public var second: Int?
    /// Whether the name says that it is universal time.
    public var isUTC: Bool

    /// Nil if no calendar has that date: `2026-13-99`, February 30, 25 o'clock.
    public init?(
        year: Int, month: Int, day: Int, hour: Int? = nil, minute: Int? = nil, second: Int? = nil, isUTC: Bool = false
    ) {
        guard (1970...2199).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year),
            (0...23).contains(hour ?? 0), (0...59).contains(minute ?? 0), (0...60).contains(second ?? 0)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.isUTC = isUTC
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// As ISO 8601 has it, as far as it is known: "2026-09-25T14:02:33", "2026-03-14"; "Z" at the end for universal time.
    public var description: String {
        var text = "\(year)-\(Self.two(month))-\(Self.two(day))"
        guard let hour else { return text }
        text += "T\(Self.two(hour)):\(Self.two(minute ?? 0))"
        if let second { text += ":\(Self.two(second))" }
        return isUTC ? text + "Z" : text
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
