#if !canImport(Darwin)
import Foundation

/// One delegate object under every protocol that it conforms to, looked up once instead of at each call.
struct DelegateFaces: Sendable {
    let session: any URLSessionDelegate
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?
    let download: (any URLSessionDownloadDelegate)?
    private let type: ObjectIdentifier

    init(_ delegate: any URLSessionDelegate) {
        session = delegate
        task = delegate as? any URLSessionTaskDelegate
        data = delegate as? any URLSessionDataDelegate
        download = delegate as? any URLSessionDownloadDelegate
        type = ObjectIdentifier(Swift.type(of: delegate))
    }

    /// Whether the method may exist in this delegate: its protocol is adopted and nobody has found it missing.
    func mayImplement(_ method: DelegateMethod) -> Bool {
        let adopted =
            switch method.owner {
            case .task: task != nil
            case .data: data != nil
            case .download: download != nil
            }
        return adopted && KnownMethods.presence(method, type) != .missing
    }

    /// Calls one method, and learns whether it is there; false when it is not.
    func call(_ method: DelegateMethod, _ body: () -> Void) -> Bool {
        if KnownMethods.presence(method, type) == .present {
            body()
            return true
        }
        let isPresent = CallToken.isImplemented(method, by: session, body)
        KnownMethods.learn(method, type, isPresent: isPresent)
        return isPresent
    }

    /// The same for an asynchronous method; nil when it is not there.
    func result<T: Sendable>(_ method: DelegateMethod, _ body: @Sendable () async -> T) async -> T? {
        if KnownMethods.presence(method, type) == .present { return await body() }
        let result = await CallToken.result(of: method, by: session, body)
        KnownMethods.learn(method, type, isPresent: result != nil)
        return result
    }
}
#endif
