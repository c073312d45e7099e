/// How delays differ from request to request, drawn from the seed.
package enum DelaySpread: Hashable, Sendable {
    /// Up to so much more, each as likely as another.
    case uniform(Duration)
    /// Half of them are longer than the median, a few by much; `sigma` in thousandths.
    case logNormal(median: Duration, sigma: Int)

    /// A longer one is cut to an hour.
    private static let bound = Duration.seconds(3600)

    /// No delay is longer.
    package var longest: Duration {
        switch self {
        case .uniform(let most): most
        case .logNormal(let median, let sigma):
            min(median * DelaySpread.exponential(6 * Double(sigma) / 1000), DelaySpread.bound)
        }
    }

    /// - Parameter draw: Each call gives another word.
    func delay(_ draw: (Int) -> UInt64) -> Duration {
        switch self {
        case .uniform(let most): return most * Int(draw(0) % 1_000_001) / 1_000_000
        case .logNormal(let median, let sigma):
            // The sum of twelve even numbers below 1 is normal enough, and the same on every machine.
            let sum = (0..<12).reduce(0.0) { $0 + Double(draw($1) >> 11) / 0x1p53 }
            let factor = DelaySpread.exponential((sum - 6) * Double(sigma) / 1000)
            return min(median * factor, DelaySpread.bound)
        }
    }

    /// e to this power, as often as it needs squaring.
    private static func exponential(_ power: Double) -> Double {
        var result = 1 + min(max(power, -30), 30) / 0x1p20
        for _ in 0..<20 { result *= result }
        return result
    }
}
