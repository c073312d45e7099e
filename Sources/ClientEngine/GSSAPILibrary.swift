import Glibc

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

    /// SPNEGO, 1.3.6.1.5.5.2, alone and as a set.
    let negotiation = GSSAPILibrary.identifier([0x2b, 0x06, 0x01, 0x05, 0x05, 0x02])
    let negotiations: Pointer
    /// What it may choose: Kerberos, 1.2.840.113554.1.2.2, and nothing that guesses at passwords.
    let choices: Pointer
    /// `service@host`, 1.2.840.113554.1.2.1.4.
    let serviceName = GSSAPILibrary.identifier([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x01, 0x04])
    /// 1.2.840.113554.1.2.1.1
    let userName = GSSAPILibrary.identifier([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x01, 0x01])

    private init?() {
        guard let library = dlopen("libgssapi_krb5.so.2", RTLD_NOW | RTLD_LOCAL),
            let importName = dlsym(library, "gss_import_name"), let acquire = dlsym(library, "gss_acquire_cred"),
            let acquireWithPassword = dlsym(library, "gss_acquire_cred_with_password"),
            let setMechanisms = dlsym(library, "gss_set_neg_mechs"),
            let initiate = dlsym(library, "gss_init_sec_context"),
            let delete = dlsym(library, "gss_delete_sec_context"),
            let releaseName = dlsym(library, "gss_release_name"),
            let releaseCredentials = dlsym(library, "gss_release_cred"),
            let releaseBuffer = dlsym(library, "gss_release_buffer")
        else { return nil }
        self.importName = unsafeBitCast(importName, to: ImportName.self)
        self.acquire = unsafeBitCast(acquire, to: Acquire.self)
        self.acquireWithPassword = unsafeBitCast(acquireWithPassword, to: AcquireWithPassword.self)
        self.setMechanisms = unsafeBitCast(setMechanisms, to: SetMechanisms.self)
        self.initiate = unsafeBitCast(initiate, to: Initiate.self)
        self.delete = unsafeBitCast(delete, to: Delete.self)
        self.releaseName = unsafeBitCast(releaseName, to: Release.self)
        self.releaseCredentials = unsafeBitCast(releaseCredentials, to: Release.self)
        self.releaseBuffer = unsafeBitCast(releaseBuffer, to: Release.self)
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
