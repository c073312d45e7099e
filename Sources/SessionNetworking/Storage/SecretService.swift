#if !canImport(Darwin)
import Foundation

/// Where one text is kept that is a secret.
protocol SecretPlace: Sendable {
    /// What is there; nil if nothing is.
    func text() throws(SecretsSilent) -> String?
    /// Keeps a text without NUL in place of what is there.
    func keep(_ text: String) throws(SecretsSilent)
}

/// The place did not answer in time, is locked, or refused.
struct SecretsSilent: Error {}

/// The desktop's Secret Service, by libsecret, if that is installed and there is a session bus: no program depends on
/// either (BEHAVIOUR 2.A11-service).
///
/// Its calls wait for another process, so that none is made on the thread of a caller or a loop. What is not answered
/// in time is given up. Nobody is asked to unlock anything: what is locked is silent.
final class SecretService: SecretPlace, @unchecked Sendable {
    // Safety: what is looked up once never changes, and libsecret may be called from any thread.
    private typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias NewTable =
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    private typealias Insert =
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> CInt
    private typealias NewCancellable = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias LookUp =
        @convention(c) (
            UnsafeRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> UnsafeMutablePointer<CChar>?
    private typealias Store =
        @convention(c) (
            UnsafeRawPointer, UnsafeMutableRawPointer, UnsafePointer<CChar>?, UnsafePointer<CChar>,
            UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> CInt

    private typealias Connect =
        @convention(c) (CInt, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>)
        -> UnsafeMutableRawPointer?
    private typealias FindCollection =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafePointer<CChar>, CInt, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> UnsafeMutableRawPointer?
    private typealias IsLocked = @convention(c) (UnsafeMutableRawPointer) -> CInt

    private let newTable: NewTable, insert: Insert, dropTable: Destroy
    private let hash, equal: UnsafeMutableRawPointer
    private let newCancellable: NewCancellable, cancel: Destroy, dropObject: Destroy
    private let dropError: Destroy, dropPassword: Destroy
    private let lookUp: LookUp, store: Store
    private let connect: Connect, findCollection: FindCollection, isLocked: IsLocked
    private let schema: UnsafeMutableRawPointer
    private let key, value: UnsafeMutablePointer<CChar>
    private let label: String
    private let patience: Double

    /// Nil where there is no bus, or no libsecret.
    ///
    /// - Parameters:
    ///   - program: How a user who looks there knows whose it is.
    ///   - file: The one that says that it is there: two of them have two secrets.
    init?(
        program: String, file: String, patience: Double = 4,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard !(environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").isEmpty,
            let library = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL),
            // Those of GLib are found among what it depends on.
            let newTable = dlsym(library, "g_hash_table_new"), let insert = dlsym(library, "g_hash_table_insert"),
            let dropTable = dlsym(library, "g_hash_table_unref"), let hash = dlsym(library, "g_str_hash"),
            let equal = dlsym(library, "g_str_equal"), let newCancellable = dlsym(library, "g_cancellable_new"),
            let cancel = dlsym(library, "g_cancellable_cancel"), let dropObject = dlsym(library, "g_object_unref"),
            let dropError = dlsym(library, "g_error_free"), let dropPassword = dlsym(library, "secret_password_free"),
            let lookUp = dlsym(library, "secret_password_lookupv_sync"),
            let store = dlsym(library, "secret_password_storev_sync"),
            let connect = dlsym(library, "secret_service_get_sync"),
            let findCollection = dlsym(library, "secret_collection_for_alias_sync"),
            let isLocked = dlsym(library, "secret_collection_get_locked"),
            let name = strdup("understudy.credentials"), let key = strdup("file"), let value = strdup(file)
        else { return nil }
        self.newTable = unsafeBitCast(newTable, to: NewTable.self)
        self.insert = unsafeBitCast(insert, to: Insert.self)
        self.dropTable = unsafeBitCast(dropTable, to: Destroy.self)
        (self.hash, self.equal) = (hash, equal)
        self.newCancellable = unsafeBitCast(newCancellable, to: NewCancellable.self)
        self.cancel = unsafeBitCast(cancel, to: Destroy.self)
        self.dropObject = unsafeBitCast(dropObject, to: Destroy.self)
        self.dropError = unsafeBitCast(dropError, to: Destroy.self)
        self.dropPassword = unsafeBitCast(dropPassword, to: Destroy.self)
        self.lookUp = unsafeBitCast(lookUp, to: LookUp.self)
        self.store = unsafeBitCast(store, to: Store.self)
        self.connect = unsafeBitCast(connect, to: Connect.self)
        self.findCollection = unsafeBitCast(findCollection, to: FindCollection.self)
        self.isLocked = unsafeBitCast(isLocked, to: IsLocked.self)
        // A SecretSchema: its name, flags, 32 attributes of a name and a type (0: text), and room.
        schema = UnsafeMutableRawPointer.allocate(byteCount: 1_024, alignment: 16)
        schema.initializeMemory(as: UInt8.self, repeating: 0, count: 1_024)
        schema.storeBytes(of: UnsafeRawPointer(name), as: UnsafeRawPointer.self)
        schema.storeBytes(of: UnsafeRawPointer(key), toByteOffset: 16, as: UnsafeRawPointer.self)
        (self.key, self.value) = (key, value)
        label = "Credentials of \(program)"
        self.patience = patience
    }

    func text() throws(SecretsSilent) -> String? {
        try asking { attributes, cancellable, error in
            guard let text = lookUp(schema, attributes, cancellable, error) else { return nil }
            defer { dropPassword(text) }
            return String(cString: text)
        }
    }

    func keep(_ text: String) throws(SecretsSilent) {
        let isKept = try asking { attributes, cancellable, error in
            store(schema, attributes, nil, label, text, cancellable, error) != 0
        }
        if !isKept { throw SecretsSilent() }
    }

    private func asking<Answer>(
        _ body: (
            UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> Answer
    ) throws(SecretsSilent) -> Answer {
        guard let attributes = newTable(hash, equal), let cancellable = newCancellable() else { throw SecretsSilent() }
        defer {
            dropTable(attributes)
            dropObject(cancellable)
        }
        _ = insert(attributes, key, value)
        let end = DispatchWorkItem { [cancel] in cancel(cancellable) }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + patience, execute: end)
        defer { end.cancel() }
        var error: UnsafeMutableRawPointer?
        defer { if let error { dropError(error) } }
        guard let service = connect(0, cancellable, &error) else { throw SecretsSilent() }
        defer { dropObject(service) }
        // The collection that programs put their secrets into. If it were locked, the user would be asked.
        guard let collection = findCollection(service, "default", 0, cancellable, &error) else { throw SecretsSilent() }
        defer { dropObject(collection) }
        guard error == nil, isLocked(collection) == 0 else { throw SecretsSilent() }
        let answer = body(attributes, cancellable, &error)
        if error != nil { throw SecretsSilent() }
        return answer
    }
}
#endif
