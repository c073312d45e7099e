import HTTPBasics

/// What a request brings for the words of a script, looked up when one is met.
struct TemplateSource {
    /// A text that is made of a template has no more bytes; what does not go in is left out.
    static let textLimit = 1 << 20

    let head: ReceivedHead
    let captures: [(name: String, value: String)]
    let body: RecordedBody
    var variables: ScriptVariables
    let date: UnixTime
    /// What a word asks for that was not there, each once.
    private(set) var missing: [TemplateWord] = []
    private(set) var isCut = false
    private var dice: Dice
    private var place: Int
    private var form: FormItems?
    private var json: JSONValue?
    private var isJSONRead = false

    init(
        head: ReceivedHead, captures: [(name: String, value: String)] = [], body: RecordedBody,
        variables: ScriptVariables,
        date: UnixTime, dice: Dice, place: Int
    ) {
        self.head = head
        self.captures = captures
        self.body = body
        self.variables = variables
        self.date = date
        self.dice = dice
        self.place = place
    }

    mutating func text(_ template: TextTemplate) -> String {
        var result = ""
        for piece in template.pieces {
            switch piece {
            case .text(let text): result += text
            case .word(let word, let place):
                let value = value(of: word)
                if value == nil, !missing.contains(word) { missing.append(word) }
                guard let value = value.map(place.written), !value.isEmpty else { continue }
                guard result.utf8.count + value.utf8.count <= TemplateSource.textLimit else {
                    isCut = true
                    continue
                }
                result += value
            }
        }
        return result
    }

    /// The same for a field's value: no character in it ends the line.
    mutating func fieldValue(_ template: TextTemplate) -> String {
        let text = text(template)
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar.value < 0x20 || scalar.value == 0x7f ? " " : scalar) }
        return String(scalars)
    }

    private mutating func value(of word: TemplateWord) -> String? {
        switch word {
        case .method: return head.method
        case .path: return String(PathPattern.divided(head.shownTarget).path)
        case .target: return head.shownTarget
        case .query(let name): return head.query.first(name)
        case .field(let name): return head.fields.joined(name)
        case .body: return wholeBody.map { String(decoding: $0, as: UTF8.self) }
        case .form(let name):
            if form == nil { form = FormItems(String(decoding: wholeBody ?? [], as: UTF8.self)) }
            return form?.first(name)
        case .json(let path):
            if !isJSONRead { json = wholeBody.flatMap { try? JSONReader.read($0) } }
            isJSONRead = true
            return json?.value(at: path.map { $0[...] }).map(\.plainText)
        case .capture(let name): return captures.first { $0.name == name }?.value
        case .state(let name): return variables.value(name)
        case .count(let name): return String(variables.count(name))
        case .now: return TemplateSource.rfc3339(date)
        case .httpDate: return HTTPDate.text(date)
        case .seconds: return String(date.seconds)
        case .uuid: return uuid()
        case .number: return String(random() % 1_000_000_000)
        }
    }

    /// Nil for one of which not all is kept.
    private var wholeBody: [UInt8]? { body.count == body.prefix.count ? body.prefix : nil }

    private mutating func random() -> UInt64 {
        defer { place &+= 1 }
        return dice.word(place: place)
    }

    /// RFC 9562 5.4: version 4.
    private mutating func uuid() -> String {
        let high = random() & 0xffff_ffff_ffff_0fff | 0x4000,
            low = random() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits = hexadecimal(high) + hexadecimal(low)
        let ends = [8, 12, 16, 20, 32]
        return ends.indices.map { index in
            digits.dropFirst(index == 0 ? 0 : ends[index - 1]).prefix(ends[index] - (index == 0 ? 0 : ends[index - 1]))
        }
        .joined(separator: "-")
    }

    private func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func rfc3339(_ date: UnixTime) -> String {
        // `Thu, 01 Jan 2026 00:00:00 GMT` has all of it, in other words.
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = HTTPDate.text(date).split(separator: " ")
        guard words.count == 6, let month = months.firstIndex(where: { $0 == words[2] }) else { return "" }
        return "\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(words[4])Z"
    }
}

extension JSONValue {
    /// A text without its quotes; anything else as JSON has it.
    fileprivate var plainText: String {
        if case .text(let text) = self { return text }
        return text
    }
}
