import ServerScript
import Simulator

/// Which bends are worth a run, from what the server sends without bends.
struct BendPlan {
    /// Of very many answers the first are bent in every way; seeds reach all of them.
    static let mostAnswers = 6
    /// Of a field the first numbers: the others of a date are like them.
    static let mostNumbers = 3
    static let mostChunks = 2
    static let flips = 24
    static let swaps = 6
    /// How many bends a seed combines at most.
    static let mostBends = 4
    /// What a field that was not there is added with; seeds add it with every number.
    static let addedEdges: [NumberEdge] = [.zero, .mostInt64, .overInt64, .negative]
    static let codes = [
        0, 99, 100, 101, 103, 199, 200, 201, 202, 204, 205, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 407,
        408, 409, 412, 413, 416, 417, 421, 425, 426, 429, 500, 501, 503, 504, 599, 600, 999,
    ]

    private let answers: [AnswerShape]
    private let seed: UInt64

    init(_ answers: [AnswerShape], seed: UInt64) {
        self.answers = answers
        self.seed = seed
    }

    func bends(of exploration: Exploration) -> any Sequence<[Bend]> {
        switch exploration {
        case .hostile: return systematic.lazy.map { [$0] }
        case .hostileSeeds(let seeds): return seeds.lazy.map { drawn($0) }.filter { !$0.isEmpty }
        case .bends(let bends): return [bends]
        default: return []
        }
    }

    // MARK: One at a time

    private var systematic: [Bend] {
        var random = SeededRandom(seed: seed)
        let bends = answers.prefix(BendPlan.mostAnswers).flatMap { answer in
            changes(of: answer, &random).map { Bend(connection: answer.connection, answer: answer.answer, $0) }
        }
        // Of fields that have one name the first is bent, however many there are.
        var planned: Set<Bend> = []
        return (bends + everywhere).filter { planned.insert($0).inserted }
    }

    /// Bends of every answer, on any connection: a peer that goes on like that.
    private var everywhere: [Bend] {
        var changes = BendPlan.codes.map(Bend.Change.code) + FieldChange.allCases.map { .field("content-length", $0) }
        changes += NumberEdge.allCases.map { .number("content-length", index: 0, $0) }
        changes += AddedField.allCases.map { .added($0, .zero) }
        return changes.map { Bend(connection: nil, answer: nil, $0) }
    }

    private func changes(of answer: AnswerShape, _ random: inout SeededRandom) -> [Bend.Change] {
        var changes = Bomb.allCases.map(Bend.Change.bomb)
        if let head = answer.head {
            changes += BendPlan.codes.map(Bend.Change.code) + head.lines.flatMap { numbers($0) }
            changes += fields(of: head).flatMap { name in FieldChange.allCases.map { .field(name, $0) } }
        }
        for index in 0..<min(answer.chunkSizes, BendPlan.mostChunks) {
            changes += NumberEdge.allCases.map { .chunkSize(index, $0) }
        }
        changes += AddedField.allCases.flatMap { field in
            (field.hasNumber ? BendPlan.addedEdges : [.zero]).map { .added(field, $0) }
        }
        changes += (0..<BendPlan.flips).map { _ in flip(answer, &random) }
        changes += (0..<BendPlan.swaps).map { _ in swap(answer, &random) }
        return changes
    }

    private func numbers(_ line: BentHead.Line) -> [Bend.Change] {
        guard Bend.Change.isName(line.name) else { return [] }
        return line.numbers.indices.prefix(BendPlan.mostNumbers).flatMap { index in
            NumberEdge.allCases.map { .number(line.name, index: index, $0) }
        }
    }

    private func fields(of head: BentHead) -> [String] {
        head.lines.map(\.name).filter { $0 != BentHead.statusName && Bend.Change.isName($0) }
    }

    // MARK: Drawn

    private func drawn(_ seed: UInt64) -> [Bend] {
        guard !answers.isEmpty else { return [] }
        var random = SeededRandom(seed: seed)
        return (0...random.below(BendPlan.mostBends)).map { _ in
            let answer = answers[random.below(answers.count)]
            let change = change(of: answer, &random)
            if random.chance(1, in: 6) { return Bend(connection: nil, answer: nil, change) }
            return Bend(connection: answer.connection, answer: answer.answer, change)
        }
    }

    private func change(of answer: AnswerShape, _ random: inout SeededRandom) -> Bend.Change {
        let edge = BendPlan.one(of: NumberEdge.allCases, &random) ?? .zero
        let names = answer.head.map { fields(of: $0) } ?? []
        switch random.below(100) {
        // Bombs take a hundred times as long as the others.
        case 0: return BendPlan.one(of: Bomb.allCases, &random).map(Bend.Change.bomb) ?? .bomb(.surplus)
        case 1..<40: if let number = number(answer, edge, &random) { return number }
        case 40..<55:
            if let name = BendPlan.one(of: names, &random),
                let change = BendPlan.one(of: FieldChange.allCases, &random)
            {
                return .field(name, change)
            }
        case 55..<75: if let field = BendPlan.one(of: AddedField.allCases, &random) { return .added(field, edge) }
        case 75..<83: if let code = BendPlan.one(of: BendPlan.codes, &random) { return .code(code) }
        case 83..<92: return flip(answer, &random)
        default: return swap(answer, &random)
        }
        return flip(answer, &random)
    }

    private func number(_ answer: AnswerShape, _ edge: NumberEdge, _ random: inout SeededRandom) -> Bend.Change? {
        if answer.chunkSizes > 0, random.chance(1, in: 3) {
            return .chunkSize(random.below(answer.chunkSizes), edge)
        }
        let lines = answer.head?.lines.filter { !$0.numbers.isEmpty && Bend.Change.isName($0.name) } ?? []
        return BendPlan.one(of: lines, &random).map {
            .number($0.name, index: random.below($0.numbers.count), edge)
        }
    }

    private func flip(_ answer: AnswerShape, _ random: inout SeededRandom) -> Bend.Change {
        .flip(random.below(answer.count), bit: random.below(8))
    }

    private func swap(_ answer: AnswerShape, _ random: inout SeededRandom) -> Bend.Change {
        let count = 1 + random.below(min(answer.count, random.chance(1, in: 2) ? 8 : Bend.mostSwapped))
        return .swap(random.below(answer.count), count: count)
    }

    private static func one<T>(of all: [T], _ random: inout SeededRandom) -> T? {
        all.isEmpty ? nil : all[random.below(all.count)]
    }
}
