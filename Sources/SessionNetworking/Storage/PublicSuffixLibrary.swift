#if !canImport(Darwin)
import ClientMachines
import Foundation
import RuntimeLibraries

/// The list of publicsuffix.org as libpsl has it, if that is installed: looked for once, when a server first sets a
/// cookie for a domain. No program depends on it (BEHAVIOUR 2.C22-suffix).
final class PublicSuffixLibrary: PublicSuffixes, @unchecked Sendable {
    // Safety: the library's list never changes once it is loaded, and is never let go.
    private typealias Load = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias BuiltIn = @convention(c) () -> OpaquePointer?
    private typealias IsPublic = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> CInt

    /// What a process knows of public suffixes.
    static let system: any PublicSuffixes = PublicSuffixLibrary() ?? UsualSuffixes()

    private let list: OpaquePointer
    private let ask: IsPublic

    private init?() {
        guard let library = RuntimeLibrary("libpsl.so.5"),
            let ask = library.function("psl_is_public_suffix", as: IsPublic.self)
        else { return nil }
        let latest = library.function("psl_latest", as: Load.self)?(nil)
        guard let list = latest ?? library.function("psl_builtin", as: BuiltIn.self)?() else { return nil }
        (self.list, self.ask) = (list, ask)
    }

    func isPublic(_ domain: String) -> Bool { ask(list, domain) != 0 }
}
#endif
