#if !canImport(Darwin)
import Foundation
import RuntimeLibraries

/// Where one text is kept that is a secret.
protocol SecretPlace: Sendable {
    /// What is there; nil if nothing is.
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
