import RuntimeLibraries

/// The functions of the system's GSSAPI (RFC 2744), if MIT Kerberos is installed: looked for once, when a server first
/// asks for Negotiate. No program depends on it (BEHAVIOUR 2.A37).
final class GSSAPILibrary: @unchecked Sendable {
    // Safety: nothing changes once it is loaded, and the library may be called on any thread.
    typealias Pointer = UnsafeMutableRawPointer
    typealias Status = UnsafeMutablePointer<UInt32>
    typealias Release = @convention(c) (Status, Pointer) -> UInt32
    typealias ImportName = @convention(c) (Status, Pointer, Pointer, Pointer) -> UInt32
    typealias Acquire =
        @convention(c) (Status, Pointer?, UInt32, Pointer?, CInt, Pointer, Pointer?, Pointer?) -> UInt32
    typealias AcquireWithPassword =
        @convention(c) (Status, Pointer?, Pointer, UInt32, Pointer?, CInt, Pointer, Pointer?, Pointer?) -> UInt32
    typealias SetMechanisms = @convention(c) (Status, Pointer?, Pointer) -> UInt32
    typealias Delete = @convention(c) (Status, Pointer, Pointer?) -> UInt32
    typealias Initiate =
        @convention(c) (
            Status, Pointer?, Pointer, Pointer?, Pointer, UInt32, UInt32, Pointer?, Pointer?, Pointer?, Pointer,
            Pointer?, Pointer?
        ) -> UInt32

    /// `gss_buffer_desc`
    struct Buffer {
        var length = 0
        var bytes: Pointer?
    }

    /// `gss_OID_desc`
    private struct Identifier {
        let length: UInt32
        let bytes: Pointer
    }

    /// `gss_OID_set_desc`
    private struct IdentifierSet {
        let count: Int
        let elements: Pointer
    }

    static let system = GSSAPILibrary()

    let importName: ImportName
    let acquire: Acquire
    let acquireWithPassword: AcquireWithPassword
    let setMechanisms: SetMechanisms
    let initiate: Initiate
    let delete: Delete
    let releaseName: Release
    let releaseCredentials: Release
    let releaseBuffer: Release
    private let realms: KerberosRealms?

    /// SPNEGO, 1.3.6.1.5.5.2, alone and as a set.
    let negotiation = GSSAPILibrary.identifier([0x2b, 0x06, 0x01, 0x05, 0x05, 0x02])
    let negotiations: Pointer
    /// What it may choose: Kerberos, 1.2.840.113554.1.2.2, and nothing that guesses at passwords.
    let choices: Pointer
    /// `service/host@realm`, 1.2.840.113554.1.2.2.1: a name of Kerberos's own, which is taken as it is. Of
    /// `service@host` the library would ask DNS first what host that is (BEHAVIOUR 2.A37-name).
    private let principalName = GSSAPILibrary.identifier(
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02, 0x01])
    /// 1.2.840.113554.1.2.1.1
    let userName = GSSAPILibrary.identifier([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x01, 0x01])

    private init?() {
        guard let library = RuntimeLibrary("libgssapi_krb5.so.2"),
            let importName = library.function("gss_import_name", as: ImportName.self),
            let acquire = library.function("gss_acquire_cred", as: Acquire.self),
            let acquireWithPassword = library.function(
                "gss_acquire_cred_with_password", as: AcquireWithPassword.self),
            let setMechanisms = library.function("gss_set_neg_mechs", as: SetMechanisms.self),
            let initiate = library.function("gss_init_sec_context", as: Initiate.self),
            let delete = library.function("gss_delete_sec_context", as: Delete.self),
            let releaseName = library.function("gss_release_name", as: Release.self),
            let releaseCredentials = library.function("gss_release_cred", as: Release.self),
            let releaseBuffer = library.function("gss_release_buffer", as: Release.self)
        else { return nil }
        self.importName = importName
        self.acquire = acquire
        self.acquireWithPassword = acquireWithPassword
        self.setMechanisms = setMechanisms
        self.initiate = initiate
        self.delete = delete
        self.releaseName = releaseName
        self.releaseCredentials = releaseCredentials
        self.releaseBuffer = releaseBuffer
        realms = KerberosRealms(library)
        negotiations = Self.set(of: negotiation)
        choices = Self.set(of: Self.identifier([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02]))
    }

    /// It is there for as long as the process.
    private static func identifier(_ bytes: [UInt8]) -> Pointer {
        let place = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = place.initialize(from: bytes)
        let result = UnsafeMutablePointer<Identifier>.allocate(capacity: 1)
        result.initialize(
            to: Identifier(length: UInt32(bytes.count), bytes: Pointer(place.baseAddress ?? .allocate(capacity: 1))))
        return Pointer(result)
    }

    private static func set(of identifier: Pointer) -> Pointer {
        let result = UnsafeMutablePointer<IdentifierSet>.allocate(capacity: 1)
        result.initialize(to: IdentifierSet(count: 1, elements: identifier))
        return Pointer(result)
    }

    /// The service `HTTP` of a host, whatever DNS says of that; nil where no service can have such a name.
    func service(of host: String) -> Pointer? {
        let special: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "\\"), 0x7f]
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && !special.contains($0) }) else { return nil }
        // Without a realm the ticket server is asked where it is.
        return name("HTTP/\(host)@\(realms?.realm(of: host) ?? "")", principalName)
    }

    /// Nil for what is no name.
    func name(_ text: String, _ kind: Pointer) -> Pointer? {
        var name: Pointer?
        var minor: UInt32 = 0
        let status = withBuffer(Array(text.utf8)) { importName(&minor, $0, kind, &name) }
        return status == 0 ? name : nil
    }

    /// The bytes as the library reads them.
    func withBuffer<Result>(_ bytes: [UInt8], _ body: (Pointer) -> Result) -> Result {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { place in
            var buffer = Buffer(length: place.count, bytes: place.baseAddress)
            return body(&buffer)
        }
    }
}
