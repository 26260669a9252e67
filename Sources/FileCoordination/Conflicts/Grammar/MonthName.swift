/// Short names of months, as systems write them in their languages.
enum MonthName {
    /// 1 to 12, and whether the name is English; nil if it is no name that is known.
    static func number(_ name: UnsafeRawBufferPointer) -> (month: Int, isEnglish: Bool)? {
        guard let text = String(validating: name, as: UTF8.self) else { return nil }
        // Comparison of strings takes composed and decomposed letters for the same.
        let key = text.lowercased().replacing(".", with: "")
        if let place = english.firstIndex(of: key) { return (place + 1, true) }
        return others[key].map { ($0, false) }
    }

    private static let english = "jan feb mar apr may jun jul aug sep oct nov dec".split(separator: " ").map(
        String.init)

    private static let others: [String: Int] = {
        var result: [String: Int] = [:]
        for language in languages {
            for (place, name) in language.split(separator: " ").enumerated() where result[String(name)] == nil {
                result[String(name)] = place + 1
            }
        }
        return result
    }()

    private static let languages = [
        "janv févr mars avr mai juin juil août sept oct nov déc",
        "jan feb mär apr mai jun jul aug sep okt nov dez",
        "jän feb märz apr mai juni juli aug sept okt nov dez",
        "ene feb mar abr may jun jul ago sept oct nov dic",
        "gen feb mar apr mag giu lug ago set ott nov dic",
        "jan fev mar abr mai jun jul ago set out nov dez",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "jan feb mars april maj juni juli aug sep okt nov dec",
        "sty lut mar kwi maj cze lip sie wrz paź lis gru",
        "led úno bře dub kvě čvn čvc srp zář říj lis pro",
        "янв фев мар апр май июн июл авг сен окт ноя дек",
        "янв февр мар апр мая июн июл авг сент окт нояб дек",
        "oca şub mar nis may haz tem ağu eyl eki kas ara",
        "jan febr márc ápr máj jún júl aug szept okt nov dec",
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
    ]
}
