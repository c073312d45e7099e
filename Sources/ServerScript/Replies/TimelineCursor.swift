/// Walks a timeline step by step; repetitions are never unrolled.
struct TimelineCursor {
    private struct Frame {
        var steps: [SendStep]
        var index = 0
        var roundsLeft: Int
    }

    /// How many steps in a row may come to nothing before repetitions are given up: a timeline that asks for a
    /// byte a thousand million times over must not hold the machine when the body has run out.
    private static let patience = 10_000

    private var frames: [Frame]
    private var idleSteps = 0

    init(_ steps: [SendStep]) { frames = steps.isEmpty ? [] : [Frame(steps: steps, roundsLeft: 1)] }

    /// The next step that is not a repetition; nil at the end.
    mutating func next() -> SendStep? {
        while var frame = frames.popLast() {
            idleSteps += 1
            if idleSteps > TimelineCursor.patience { frame.roundsLeft = 1 }
            guard frame.index < frame.steps.count else {
                frame.roundsLeft -= 1
                frame.index = 0
                if frame.roundsLeft > 0 { frames.append(frame) }
                continue
            }
            let step = frame.steps[frame.index]
            frame.index += 1
            frames.append(frame)
            guard case .repeat(let times, let steps) = step else { return step }
            if times > 0 { frames.append(Frame(steps: steps, roundsLeft: times)) }
        }
        return nil
    }

    /// The last step had an effect.
    mutating func wasProductive() { idleSteps = 0 }
}
