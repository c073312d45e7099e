/// A pattern as steps that many readers of one text take side by side.
struct PatternProgram: Sendable {
    private static let stepLimit = 1000

    private enum Step: Sendable {
        case take(ScalarSet)
        /// Both ways are gone.
        case fork(Int, Int)
        case jump(Int)
        case start
        case end
        case boundary(Bool)
        case found
    }

    private var steps: [Step] = []
    /// Parts gone through, those that come to nothing too.
    private var work = 0

    init(_ node: PatternNode) throws(PatternMistake) {
        try add(node)
        steps.append(.found)
    }

    private mutating func add(_ node: PatternNode) throws(PatternMistake) {
        work += 1
        guard steps.count < PatternProgram.stepLimit, work < 16 * PatternProgram.stepLimit else {
            let text = "the pattern has more than \(PatternProgram.stepLimit) steps, counts written out"
            throw PatternMistake(text: text, offset: 0)
        }
        switch node {
        case .empty: break
        case .set(let set): steps.append(.take(set))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .boundary(let isThere): steps.append(.boundary(isThere))
        case .sequence(let parts): for part in parts { try add(part) }
        case .choice(let branches): try add(branches[...])
        case .times(let part, let least, let most):
            for _ in 0..<least { try add(part) }
            guard let most else { return try addLoop(part) }
            var forks: [Int] = []
            for _ in least..<most {
                forks.append(steps.count)
                steps.append(.jump(0))
                try add(part)
            }
            for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
        }
    }

    private mutating func add(_ branches: ArraySlice<PatternNode>) throws(PatternMistake) {
        guard let first = branches.first else { return }
        guard branches.count > 1 else { return try add(first) }
        let fork = steps.count
        steps.append(.jump(0))
        try add(first)
        let end = steps.count
        steps.append(.jump(0))
        steps[fork] = .fork(fork + 1, steps.count)
        try add(branches.dropFirst())
        steps[end] = .jump(steps.count)
    }

    private mutating func addLoop(_ part: PatternNode) throws(PatternMistake) {
        let fork = steps.count
        steps.append(.jump(0))
        try add(part)
        steps.append(.jump(fork))
        steps[fork] = .fork(fork + 1, steps.count)
    }

    // MARK: - Search

    /// Nil when the work is used up before it is known.
    func isFound(in text: [UInt32], _ work: PatternWork) -> Bool? {
        var readers = Readers(count: steps.count)
        defer { work.spend(readers.visits) }
        for place in 0...text.count {
            guard readers.visits < work.left else { return nil }
            // Whoever has come as far as here goes on, and another one begins.
            var list = readers.advance()
            list.append(0)
            if follow(list, at: place, in: text, &readers) { return true }
            guard place < text.count else { return false }
            for step in readers.waiting {
                if case .take(let set) = steps[step], set.contains(text[place]) { readers.next.append(step + 1) }
            }
        }
        return false
    }

    /// Goes on from all these steps without reading; true when one of them is the end.
    private func follow(_ list: [Int], at place: Int, in text: [UInt32], _ readers: inout Readers) -> Bool {
        var open = list
        while let step = open.popLast() {
            guard readers.visit(step) else { continue }
            switch steps[step] {
            case .take: readers.waiting.append(step)
            case .fork(let one, let other): open += [one, other]
            case .jump(let target): open.append(target)
            case .start: if place == 0 { open.append(step + 1) }
            case .end: if place == text.count { open.append(step + 1) }
            case .boundary(let isThere):
                let before = place > 0 && ScalarSet.word.contains(text[place - 1])
                let after = place < text.count && ScalarSet.word.contains(text[place])
                if (before != after) == isThere { open.append(step + 1) }
            case .found: return true
            }
        }
        return false
    }

    /// Which steps have been come to in one place of the text.
    private struct Readers {
        /// Steps that want a character.
        var waiting: [Int] = []
        /// Where those are who got one.
        var next: [Int] = []
        private var visited: [Int]
        private var turn = 0
        private(set) var visits = 0

        init(count: Int) { visited = Array(repeating: 0, count: count) }

        mutating func advance() -> [Int] {
            defer {
                waiting.removeAll(keepingCapacity: true)
                next.removeAll(keepingCapacity: true)
                turn += 1
            }
            return next
        }

        mutating func visit(_ step: Int) -> Bool {
            guard visited[step] != turn else { return false }
            visited[step] = turn
            visits += 1
            return true
        }
    }
}
