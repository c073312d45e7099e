#if !canImport(Darwin)
import Foundation

/// What makes `request as NSURLRequest`, `as?` and `NSArray` of requests work, on Linux too.
extension URLRequest: ReferenceConvertible, _ObjectiveCBridgeable {
    /// The class that `as` converts to.
    public typealias _ObjectiveCType = NSURLRequest

    /// An immutable object that says the same.
    public func _bridgeToObjectiveC() -> NSURLRequest { NSURLRequest.saying(self) }

    /// The request that `source` holds at this moment.
    public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) {
        result = source.request
    }

    /// As `_forceBridgeFromObjectiveC`; always succeeds.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSURLRequest, result: inout URLRequest?
    ) -> Bool {
        result = source.request
        return true
    }

    /// The request that `source` holds; without one, a request without a URL.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest {
        source?.request ?? URLRequest(RequestValues(url: nil))
    }
}
#endif
