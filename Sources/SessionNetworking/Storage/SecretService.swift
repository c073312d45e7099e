#if !canImport(Darwin)
import Foundation
import RuntimeLibraries

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

    private typealias Search =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer, CInt, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> UnsafeMutableRawPointer?
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
    private let lookUp: LookUp, store: Store, search: Search
    private let isItemLocked: IsLocked, dropList: Destroy
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
            let library = RuntimeLibrary("libsecret-1.so.0"),
            // Those of GLib are found among what it depends on.
            let newTable = library.function("g_hash_table_new", as: NewTable.self),
            let insert = library.function("g_hash_table_insert", as: Insert.self),
            let dropTable = library.function("g_hash_table_unref", as: Destroy.self),
            let hash = library.address("g_str_hash"), let equal = library.address("g_str_equal"),
            let newCancellable = library.function("g_cancellable_new", as: NewCancellable.self),
            let cancel = library.function("g_cancellable_cancel", as: Destroy.self),
            let dropObject = library.function("g_object_unref", as: Destroy.self),
            let dropList = library.function("g_list_free", as: Destroy.self),
            let dropError = library.function("g_error_free", as: Destroy.self),
            let dropPassword = library.function("secret_password_free", as: Destroy.self),
            let lookUp = library.function("secret_password_lookupv_sync", as: LookUp.self),
            let store = library.function("secret_password_storev_sync", as: Store.self),
            let search = library.function("secret_service_search_sync", as: Search.self),
            let isItemLocked = library.function("secret_item_get_locked", as: IsLocked.self),
            let connect = library.function("secret_service_get_sync", as: Connect.self),
            let findCollection = library.function("secret_collection_for_alias_sync", as: FindCollection.self),
            let isLocked = library.function("secret_collection_get_locked", as: IsLocked.self),
            let name = strdup("understudy.credentials"), let key = strdup("file"), let value = strdup(file)
        else { return nil }
        (self.newTable, self.insert, self.dropTable, self.hash, self.equal) = (newTable, insert, dropTable, hash, equal)
        (self.newCancellable, self.cancel, self.dropObject) = (newCancellable, cancel, dropObject)
        (self.dropError, self.dropPassword, self.dropList) = (dropError, dropPassword, dropList)
        (self.lookUp, self.store, self.search, self.isItemLocked) = (lookUp, store, search, isItemLocked)
        (self.connect, self.findCollection, self.isLocked) = (connect, findCollection, isLocked)
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
        let found = try asking { service, attributes, cancellable, error -> Found in
            // What is in another collection may be locked: to look it up would ask the user to unlock it.
            guard let first = search(service, schema, attributes, 0, cancellable, error) else { return .nothing }
            defer { dropList(first) }
            guard let item = first.load(as: UnsafeMutableRawPointer?.self) else { return .silence }
            defer { dropObject(item) }
            guard isItemLocked(item) == 0, let text = lookUp(schema, attributes, cancellable, error) else {
                return .silence
            }
            defer { dropPassword(text) }
            return .text(String(cString: text))
        }
        switch found {
        case .text(let text): return text
        case .nothing: return nil
        case .silence: throw SecretsSilent()
        }
    }

    func keep(_ text: String) throws(SecretsSilent) {
        let isKept = try asking { _, attributes, cancellable, error in
            store(schema, attributes, nil, label, text, cancellable, error) != 0
        }
        if !isKept { throw SecretsSilent() }
    }

    private enum Found { case text(String), nothing, silence }

    /// What ends a call in time. Whoever may still do so holds it: an end that has begun is not waited for.
    private final class Deadline: @unchecked Sendable {
        // Safety: GLib's object may be cancelled on any thread, and goes with its last holder.
        let cancellable: UnsafeMutableRawPointer
        private let cancel: Destroy, drop: Destroy

        init?(_ make: NewCancellable, cancel: @escaping Destroy, drop: @escaping Destroy) {
            guard let cancellable = make() else { return nil }
            (self.cancellable, self.cancel, self.drop) = (cancellable, cancel, drop)
        }

        deinit { drop(cancellable) }

        func pass() { cancel(cancellable) }
    }

    private func asking<Answer>(
        _ body: (
            UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> Answer
    ) throws(SecretsSilent) -> Answer {
        guard let attributes = newTable(hash, equal) else { throw SecretsSilent() }
        defer { dropTable(attributes) }
        guard let deadline = Deadline(newCancellable, cancel: cancel, drop: dropObject) else { throw SecretsSilent() }
        _ = insert(attributes, key, value)
        let end = DispatchWorkItem { deadline.pass() }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + patience, execute: end)
        defer { end.cancel() }
        let cancellable = deadline.cancellable
        var error: UnsafeMutableRawPointer?
        defer { if let error { dropError(error) } }
        guard let service = connect(0, cancellable, &error) else { throw SecretsSilent() }
        defer { dropObject(service) }
        // The collection that programs put their secrets into. If it were locked, the user would be asked.
        guard let collection = findCollection(service, "default", 0, cancellable, &error) else { throw SecretsSilent() }
        defer { dropObject(collection) }
        guard error == nil, isLocked(collection) == 0 else { throw SecretsSilent() }
        let answer = body(service, attributes, cancellable, &error)
        if error != nil { throw SecretsSilent() }
        return answer
    }
}
#endif
