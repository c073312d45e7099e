import ServerScript
import TLSBasics

/// Faults: a position and an effect. What may stand together is in the table of `Landmark`.
extension CaseDecoder {
    /// A fault that is written in `home`.
    func fault(_ node: SourceNode, in home: Fault.Home) -> Fault? {
        guard let map = session.map(node, .fault) else { return nil }
        let place = map.value("at"), action = map.value("do")
        let landmark = place.flatMap(landmark), effect = action.flatMap(effect)
        let percent = map.value("probability").flatMap { session.percent($0) } ?? 100
        let isOfProxy = map.word("layer") != nil
        guard let place, let action, let landmark, let effect else { return nil }
        if isOfProxy, effect.kind != .record {
            log.error(
                "'layer' goes with what is done to a layer of TLS", at: map.keyNode("layer"),
                remedy: "close-notify, bad-record, {alert: ...} and others")
        }
        let kind = landmark.kind
        if !kind.homes.contains(home) {
            let homes = kind.homes.map(\.phrase).joined(separator: " or ")
            log.error("a fault at '\(landmark)' cannot be written here", at: place, remedy: "it belongs to \(homes)")
        } else if let objection = kind.objection(to: effect.kind) {
            let word = action.scalar ?? "delay"
            log.error("'\(word)' makes no sense at '\(place.scalar ?? "")'", at: action, remedy: objection)
        } else if kind == .listen, percent < 100 {
            log.error("a fault at 'listen' cannot have a probability", at: map.keyNode("probability"))
        }
        return Fault(at: landmark, do: effect, percent: percent, isOfProxy: isOfProxy, mark: node.mark)
    }

    /// What goes wrong in an exchange: one `fault`, or several `faults`.
    func faults(_ map: MappingReader) -> [Fault] {
        let one = map.value("fault"), several = map.list("faults") ?? []
        _ = map.only(of: ["fault", "faults"])
        map.refuseEmpty("faults")
        return ([one].compactMap(\.self) + several).compactMap { fault($0, in: .exchange) }
    }

    func effect(_ node: SourceNode) -> Fault.Effect? {
        if node.isMapping {
            guard let map = session.map(node, .effect) else { return nil }
            if let name = map.word("alert") {
                if map.has("delay") { log.error("a fault has one effect", at: map.keyNode("delay")) }
                return TLSAlert(name: name).map { .record(.alert($0)) }
            }
            if !map.has("delay") {
                map.missing("a fault needs a 'delay' or an 'alert' here", remedy: "such as {delay: 300ms}")
            }
            return map.duration("delay").map { .delay($0) }
        }
        return session.word(node, among: Fault.Effect.words.map(\.word)).flatMap { Fault.Effect(word: $0) }
    }

    // MARK: - Landmarks

    /// `server-hello+40`: a place that has a word, and so many bytes behind it.
    ///
    /// - Parameters:
    ///   - noun: What such a place is called.
    ///   - owner: What it is a place of.
    func place<Place: RawRepresentable<String> & CaseIterable>(
        _ type: Place.Type, at node: SourceNode, _ noun: String, of owner: String
    ) -> (place: Place, offset: Int)? {
        guard let text = session.text(node, what: "a \(noun)") else { return nil }
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let place = Place(rawValue: parts[0]) else {
            let words = Place.allCases.map(\.rawValue)
            log.error(
                "'\(parts[0])' is no \(noun) of \(owner)", at: node,
                remedy: Suggestion.remedy(for: parts[0], among: words))
            return nil
        }
        guard parts.count == 2 else { return (place, 0) }
        switch Quantities.size(parts[1], allowsBare: true) {
        case .value(let count): return (place, count)
        case .wrong(let reason):
            log.error("'\(parts[1])' \(reason)", at: node)
            return (place, 0)
        }
    }

    private func landmark(_ node: SourceNode) -> Fault.Landmark? {
        guard let text = session.text(node, what: "a landmark") else { return nil }
        switch Fault.Landmark.read(text) {
        case .value(let landmark): return landmark
        case .wrong(let reason): log.error("'\(text)' \(reason)", at: node)
        case nil: unknownLandmark(text, at: node)
        }
        return nil
    }

    private func unknownLandmark(_ text: String, at node: SourceNode) {
        let word = String(text.prefix { $0.isLetter || $0 == "-" })
        if word == "every" || word == "tls" || word.hasPrefix("tls-") {
            let remedy = word == "every" ? "'understudy run --explore every-cut' tries every position" : nil
            return log.error("the landmark '\(text)' is not yet supported", at: node, remedy: remedy)
        }
        let forms = Fault.Landmark.Kind.allCases.map(\.form)
        var remedy = "allowed: " + forms.joined(separator: ", ")
        let words = forms.map { String($0.prefix { $0.isLetter || $0 == "-" }) }
        if let nearest = Suggestion.nearest(to: word, among: words) { remedy = "did you mean '\(nearest)'? " + remedy }
        log.error("'\(text)' is not a landmark", at: node, remedy: remedy)
    }
}

extension Fault.Home {
    var phrase: String {
        switch self {
        case .host: "an entry of 'hosts'"
        case .accept: "an 'accept' step"
        case .exchange: "an exchange or its reply"
        }
    }
}
