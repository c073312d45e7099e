#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// Requests between the caller's form and the machines' form.
package enum RequestBridge {
    /// The request for a task's plan; with a refusal when it cannot be sent at all.
    package static func clientRequest(
        _ request: URLRequest
    ) -> (request: ClientRequest, refusal: Failure.Kind?) {
        let values = request.values
        let reference = values.url.flatMap { URLReference($0.absoluteString) }
        let client = ClientRequest(
            method: values.method, url: reference ?? URLReference(), fields: values.fields ?? Fields(),
            body: values.body.map { ByteBuffer(bytes: $0) })
        return (client, refusal(values, reference))
    }

    /// The caller's form of a request that the machines have made from `previous`: what a redirect cannot change
    /// (timeout, policies) is taken over.
    package static func urlRequest(_ request: ClientRequest, basedOn previous: URLRequest) -> URLRequest {
        var values = previous.values
        let text = request.url.string
        if values.url?.absoluteString != text { values.url = URL(string: text) }
        values.method = request.method
        if !(request.fields.isEmpty && values.fields == nil) { values.fields = request.fields }
        values.body = request.body.map { body(of: $0, unlessEqualTo: values.body) }
        values.bodyStream = nil
        return URLRequest(values)
    }

    /// What the machines cannot see; all else they judge themselves, for redirects too (`RequestWriter.refusal`).
    private static func refusal(_ values: RequestValues, _ url: URLReference?) -> Failure.Kind? {
        if url == nil { return .badURL }
        guard values.bodyStream != nil else { return nil }
        return values.method == "GET" ? .dataLengthExceedsMaximum : .requestBodyStreamExhausted
    }

    /// Stands for the request of a task that cannot have one.
    package static let noRequest = ClientRequest(url: URLReference())

    /// Spares the copy where nothing has changed, as in most redirects that keep their body.
    private static func body(of buffer: ByteBuffer, unlessEqualTo present: Data?) -> Data {
        buffer.withUnsafeReadableBytes { bytes in
            if let present, present.count == bytes.count, present.elementsEqual(bytes) { return present }
            return Data(bytes)
        }
    }
}
#endif
