import RuntimeLibraries

/// A content coding that takes libraries of the system, which not every machine has.
package enum SystemCoding: String, CaseIterable, Hashable, Sendable {
    case brotli = "br"
    case zstd

    /// What packs it, and what unpacks it.
    private var libraries: [String] {
        switch self {
        case .brotli: ["libbrotlienc.so.1", "libbrotlidec.so.1"]
        case .zstd: ["libzstd.so.1"]
        }
    }

    /// A library that this machine lacks for it; nil if it lacks none.
    package var missingLibrary: String? { Self.missing[self] }

    /// Looked for once.
    private static let missing = allCases.reduce(into: [SystemCoding: String]()) { missing, coding in
        missing[coding] = coding.libraries.first { RuntimeLibrary($0) == nil }
    }
}
