#if !canImport(Darwin)
import Foundation

/// One delegate object under every protocol that it conforms to, looked up once instead of at each call.
final class DelegateFaces: Sendable {
    let session: any URLSessionDelegate
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?
    let download: (any URLSessionDownloadDelegate)?
    private let adopted: DelegateMethods
    private let known: KnownMethods

    init(_ delegate: any URLSessionDelegate, known: KnownTypes) {
        session = delegate
        task = delegate as? any URLSessionTaskDelegate
        data = delegate as? any URLSessionDataDelegate
        download = delegate as? any URLSessionDownloadDelegate
        var adopted = DelegateMethods.ofSession
        if task != nil { adopted.formUnion(.ofTask) }
        if data != nil { adopted.formUnion(.ofData) }
        if download != nil { adopted.formUnion(.ofDownload) }
        self.adopted = adopted
        self.known = known.methods(of: type(of: delegate))
    }

    /// The methods that may exist in this delegate: their protocol is adopted, and no call has found them missing.
    var methods: DelegateMethods { adopted.subtracting(known.missed) }

    func mayImplement(_ method: DelegateMethod) -> Bool { methods.contains(DelegateMethods(method)) }

    /// Calls one method, and learns whether it is there; false when it is not.
    func call(_ method: DelegateMethod, _ body: () -> Void) -> Bool {
        if known.isPresent(method) {
            body()
            return true
        }
        let isPresent = CallToken.isImplemented(method, by: session, body)
        known.learn(method, isPresent: isPresent)
        return isPresent
    }

    /// The same for an asynchronous method, whose result goes on to `take`.
    func pass<T>(_ method: DelegateMethod, to take: (T) -> Void, _ body: @Sendable () async -> T) async -> Bool {
        let result = await result(method, body)
        if let result { take(result) }
        return result != nil
    }

    /// The result of an asynchronous method; nil when it is not there.
    func result<T>(_ method: DelegateMethod, _ body: @Sendable () async -> T) async -> T? {
        if known.isPresent(method) { return await body() }
        let result = await CallToken.result(of: method, by: session, body)
        known.learn(method, isPresent: result != nil)
        return result
    }
}
#endif
