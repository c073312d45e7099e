import HTTPBasics
import ServerScript

/// What stands in front of a recipe in a URL: faults, and how the answer is put on the wire.
struct FaultPath {
    /// When the faults behind it happen.
    struct Condition {
        /// Each request of this number to the same URL, counted from 1.
        var every: Int?
        /// Only so many requests to the same URL, from the first on.
        var first: Int?
        /// Out of a hundred.
        var percent = 100

        func holds(turn: Int) -> Bool {
            (every.map { (turn % $0) == $0 - 1 } ?? true) && (first.map { turn < $0 } ?? true)
        }
    }

    let request: ImprovisedRequest
    /// Words that are read.
    private(set) var count = 0
    var condition = Condition()
    /// All that are named, happen they now or not.
    private(set) var named: [Fault] = []
    /// Those that happen to this request.
    private(set) var faults: [Fault] = []
    /// In place of the recipe's answer.
    private(set) var failure: Int?
    var split: Int?
    var rate: Int?
    var length: String?
    var chunk: Int?
    var closes = false
    var interims: [Interim] = []
    var readBody = ReadBody.all
    var readRate: Int?
    var coding: (coding: Content.Coding, damage: Content.Damage?)?

    /// Reads words as long as they are the cookbook's for faults.
    init(_ words: [String], _ request: ImprovisedRequest) throws(CookbookMistake) {
        self.request = request
        for _ in 0..<CookbookLimits.words {
            guard let first = words.dropFirst(count).first, let word = FaultWord.byName[first] else { return }
            let given = words.dropFirst(count + 1).prefix(word.parameters.count)
            guard given.count == word.parameters.count, !given.contains("") else {
                throw CookbookMistake("/\(first): it is \(word.form)")
            }
            count += 1 + given.count
            try word.read(&self, Array(given))
        }
        guard words.dropFirst(count).first.flatMap({ FaultWord.byName[$0] }) == nil else {
            throw CookbookMistake("more than \(CookbookLimits.words) words before the answer")
        }
    }

    /// A fault under the condition that stands before it.
    mutating func add(_ landmark: Fault.Landmark, _ effect: Fault.Effect) throws(CookbookMistake) {
        let kind = landmark.kind
        guard kind.homes.contains(.exchange) else {
            throw CookbookMistake("\(landmark): no request has come by then, so none can ask for it")
        }
        if let objection = kind.objection(to: effect.kind) { throw CookbookMistake("\(landmark): \(objection)") }
        if effect.kind == .record, request.scheme != "https" {
            throw CookbookMistake("\(effect.word ?? "this"): there is no TLS here: 'serve --tls valid' speaks it")
        }
        let fault = Fault(at: landmark, do: effect, percent: condition.percent)
        named.append(fault)
        if condition.holds(turn: request.turn) { faults.append(fault) }
    }

    /// This status in place of the answer, under the condition that stands before it.
    mutating func fail(_ status: Int) {
        let isDrawn = request.draw(UInt64(clamping: count)) % 100 < UInt64(clamping: condition.percent)
        if failure == nil, condition.holds(turn: request.turn), isDrawn { failure = status }
    }

    /// The answer as it is put on the wire.
    func applied(to reply: Reply) throws(CookbookMistake) -> Reply {
        var reply = failure.map { .status($0) } ?? reply
        if let (coding, damage) = coding {
            guard let encoded = reply.encoded(coding, damage: damage) else {
                throw CookbookMistake("/encode: only bodies up to \(CookbookLimits.heldSize) bytes are compressed")
            }
            reply = encoded
        }
        if let chunk { reply.framing = .chunked(size: chunk) }
        if closes { reply.framing = .close }
        if let length { reply.fields.set("Content-Length", length) }
        if let rate { reply.sendRate = rate }
        if let split { reply.timeline.insert(.split(split), at: 0) }
        reply.interim += interims
        return reply
    }

    /// Whether each fault can strike in this answer.
    func check(_ reply: Reply) throws(CookbookMistake) {
        guard request.head.method != "HEAD" else { return }
        var whole = reply
        // A part of it may be asked for; then the place may lie beyond that.
        whole.isRanged = false
        // Trailers and pieces are sent in chunks, whatever else is said.
        if reply.timeline.contains(where: \.isChunk) || !reply.trailers.isEmpty, reply.framing == .length {
            whole.framing = .chunked(size: 16 << 10)
        }
        for fault in named {
            guard let objection = whole.objection(to: fault) else { continue }
            let remedy = objection.remedy.map { ": \($0)" } ?? remedy(for: fault).map { ": \($0)" } ?? ""
            throw CookbookMistake(objection.text + remedy)
        }
    }

    private func remedy(for fault: Fault) -> String? {
        switch fault.landmark.kind {
        case .chunk, .lastChunk, .trailers: "put /chunked/1KiB in front"
        case .body: "the answer /body?size=1MiB is as long as you like"
        case .interim: "put /interim/103 in front"
        default: nil
        }
    }
}

extension SendStep {
    fileprivate var isChunk: Bool {
        if case .chunk = self { return true }
        return false
    }
}
