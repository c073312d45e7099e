import RuntimeLibraries

/// In which realm a host is, as `krb5.conf` has it (`[domain_realm]`): by libkrb5, on which the system's GSSAPI
/// depends. It asks DNS for realms only where that file says so (`dns_lookup_realm`), and never for names.
struct KerberosRealms: Sendable {
    private typealias Begin = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> CInt
    private typealias End = @convention(c) (OpaquePointer) -> Void
    private typealias List = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private typealias LookUp =
        @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafeMutablePointer<List?>) -> CInt
    private typealias Drop = @convention(c) (OpaquePointer, List) -> CInt

    private let begin: Begin, end: End, lookUp: LookUp, drop: Drop

    init?(_ library: RuntimeLibrary) {
        guard let begin = library.function("krb5_init_context", as: Begin.self),
            let end = library.function("krb5_free_context", as: End.self),
            let lookUp = library.function("krb5_get_host_realm", as: LookUp.self),
            let drop = library.function("krb5_free_host_realm", as: Drop.self)
        else { return nil }
        (self.begin, self.end, self.lookUp, self.drop) = (begin, end, lookUp, drop)
    }

    /// Nil where that file does not say it; its ticket server may know it all the same.
    func realm(of host: String) -> String? {
        var context: OpaquePointer?
        guard begin(&context) == 0, let context else { return nil }
        defer { end(context) }
        var realms: List?
        guard lookUp(context, host, &realms) == 0, let realms else { return nil }
        defer { _ = drop(context, realms) }
        return realms.pointee.map { String(cString: $0) }
    }
}
