#if !canImport(Darwin)
import ClientMachines
import Foundation

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
        guard let library = dlopen("libpsl.so.5", RTLD_NOW | RTLD_LOCAL),
            let ask = dlsym(library, "psl_is_public_suffix")
        else { return nil }
        self.ask = unsafeBitCast(ask, to: IsPublic.self)
        let latest = dlsym(library, "psl_latest").flatMap { unsafeBitCast($0, to: Load.self)(nil) }
        let builtIn = { dlsym(library, "psl_builtin").flatMap { unsafeBitCast($0, to: BuiltIn.self)() } }
        guard let list = latest ?? builtIn() else { return nil }
        self.list = list
    }

    func isPublic(_ domain: String) -> Bool { ask(list, domain) != 0 }
}
#endif
