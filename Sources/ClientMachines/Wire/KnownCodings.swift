import HTTPBasics
import Inflate

/// The content codings that a session undoes: gzip and deflate, and of the others those that its world can.
package struct KnownCodings: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let brotli = KnownCodings(rawValue: 1), zstd = KnownCodings(rawValue: 2)
    package static let all: KnownCodings = [.brotli, .zstd]

    /// Those that this machine has a library for, looked for once (BEHAVIOUR 2.F28-system).
    package static let ofThisMachine: KnownCodings = {
        var codings = KnownCodings()
        if Inflater.Coding.brotli.isAvailable { codings.insert(.brotli) }
        if Inflater.Coding.zstd.isAvailable { codings.insert(.zstd) }
        return codings
    }()

    /// Accept-Encoding of a request (BEHAVIOUR 2.F2-encoding).
    package func accepted(isSecure: Bool) -> String {
        guard isSecure else { return "gzip, deflate" }
        return "gzip, deflate" + (contains(.brotli) ? ", br" : "") + (contains(.zstd) ? ", zstd" : "")
    }

    /// Whether the coding of this name is undone.
    package func undoes(_ name: Substring) -> Bool { coding(name) != nil }

    func coding(_ name: Substring) -> Inflater.Coding? {
        if name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip") { return .gzip }
        if name.equalsIgnoringCase("deflate") { return .deflate }
        if contains(.brotli), name.equalsIgnoringCase("br") { return .brotli }
        if contains(.zstd), name.equalsIgnoringCase("zstd") { return .zstd }
        return nil
    }
}
