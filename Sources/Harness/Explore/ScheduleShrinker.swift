import Simulator

/// Makes a failing schedule as short as it gets: the fewest departures from the plain order, each as small as it goes.
///
/// Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), by removal of
/// ever smaller blocks; then each number is brought towards 0.
struct ScheduleShrinker {
    /// Whether a run with just these departures fails in the same way.
    private let fails: ([Departure]) throws -> Bool
    private let isOutOfTime: () -> Bool
    private var runsLeft: Int

    init(
        mostRuns: Int = 5000, isOutOfTime: @escaping () -> Bool = { false },
        fails: @escaping ([Departure]) throws -> Bool
    ) {
        self.fails = fails
        self.isOutOfTime = isOutOfTime
        runsLeft = mostRuns
    }

    /// `departures` fail. What comes back fails too, and is the shortest that was found within the bounds on runs and
    /// time.
    mutating func shortest(_ departures: [Departure]) throws -> [Departure] {
        if try stillFails([]) { return [] }
        var departures = departures
        var size = departures.count
        while size >= 1 {
            let hasShrunk = try removeBlocks(of: size, from: &departures)
            // Single ones are tried until none can go: each removal changes what the others do.
            size = size == 1 && hasShrunk ? 1 : size / 2
        }
        for index in departures.indices { try reduce(&departures, at: index) }
        return departures
    }

    private mutating func removeBlocks(of size: Int, from departures: inout [Departure]) throws -> Bool {
        var hasShrunk = false
        var start = 0
        while start < departures.count {
            var rest = departures
            rest.removeSubrange(start..<min(start + size, rest.count))
            if try stillFails(rest) {
                departures = rest
                hasShrunk = true
            } else {
                start += size
            }
        }
        return hasShrunk
    }

    /// Brings one number nearer to 0, by halves of what is left; 0 itself was tried as a removal.
    private mutating func reduce(_ departures: inout [Departure], at index: Int) throws {
        var step = departures[index].choice / 2
        while step != 0 {
            var smaller = departures
            smaller[index].choice -= step
            if try stillFails(smaller) {
                departures = smaller
                step = departures[index].choice / 2
            } else {
                step /= 2
            }
        }
    }

    private mutating func stillFails(_ departures: [Departure]) throws -> Bool {
        guard runsLeft > 0, !isOutOfTime() else { return false }
        runsLeft -= 1
        return try fails(departures)
    }
}
