/// Changes a few bytes, the same ones for the same seed.
struct Damage {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Up to three bytes changed, and sometimes the end cut off.
    mutating func applied(to bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...next(below: 3) { bytes[next(below: bytes.count)] = UInt8(next(below: 256)) }
        return next(below: 8) == 0 ? Array(bytes.prefix(next(below: bytes.count))) : bytes
    }

    private mutating func next(below bound: Int) -> Int {
        // Knuth's constants; the high bits are the good ones.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
