/// Seconds as people read them: `3 ms`, `1.25 s`, `2 min 5 s`.
enum SecondsText {
    static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "?" }
        if seconds < 0.0995 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 120 { return "\(decimals(seconds, 2)) s" }
        if seconds < 7200 { return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s" }
        if seconds < 172_800 { return "\(Int(seconds) / 3600) h \(Int(seconds) % 3600 / 60) min" }
        return "\(Int(seconds) / 86_400) d \(Int(seconds) % 86_400 / 3600) h"
    }

    /// Spans of a picture, which may be as short as microseconds: `250 us`, `1.5 ms`, `3.20 s`.
    static func span(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e12 else { return "?" }
        if seconds < 0.001 { return "\(Int((max(0, seconds) * 1e6).rounded())) us" }
        return seconds < 0.0995 ? "\(decimals(seconds * 1000, 1)) ms" : text(seconds)
    }

    /// With exactly that many digits after the point, in any locale.
    static func decimals(_ value: Double, _ digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, value >= 0, value < 1e12 else { return "0" }
        let scaled = Int((value * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let padding = String(repeating: "0", count: max(0, digits - fraction.count))
        return digits == 0 ? "\(scaled)" : "\(scaled / scale).\(padding)\(fraction)"
    }
}
