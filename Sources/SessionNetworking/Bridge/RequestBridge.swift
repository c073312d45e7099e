#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// Requests between the caller's form and the machines' form.
package enum RequestBridge {
    /// The request for a task's plan. With a refusal where the machines cannot see that it cannot be sent: all else
    /// they judge themselves, for redirects too (`RequestWriter.refusal`).
    package static func clientRequest(_ request: URLRequest) -> (request: ClientRequest, refusal: Failure.Kind?) {
        let values = request.values
        let reference = values.url.flatMap { URLReference($0.absoluteString) }
        var client = ClientRequest(
            method: values.method, url: reference ?? URLReference(), fields: values.fields ?? Fields())
        client.body = values.body.map { RequestBody($0) }
        client.handlesCookies = values.shouldHandleCookies
        switch values.bodyStream {
        case let stream as ComposedStream: client.body = .composed(stream.body)
        case .some: client.body = .stream(.first)
        case nil: break
        }
        if reference != nil { return (client, nil) }
        return (client, values.url == nil ? .unsupportedURL : .badURL)
    }

    /// The caller's form of a request that the machines have made from `previous`: what a redirect cannot change
    /// (timeout, policies) is taken over.
    ///
    /// - Parameter stream: What `request` is to read its body from, if that is a stream.
    package static func urlRequest(
        _ request: ClientRequest, basedOn previous: URLRequest, stream: InputStream? = nil
    ) -> URLRequest {
        var values = previous.values
        let text = request.url.string
        if values.url?.absoluteString != text { values.url = URL(string: text) }
        values.method = request.method
        if !(request.fields.isEmpty && values.fields == nil) { values.fields = request.fields }
        let known = values.bodyStream as? ComposedStream
        values.bodyStream = nil
        switch request.body {
        case .bytes(let bytes): values.body = body(of: bytes, unlessEqualTo: values.body)
        case .stream: (values.body, values.bodyStream) = (nil, stream)
        case .composed(let body):
            values.body = body.largeData
            if values.body != nil { break }
            values.bodyStream = known?.body == body ? known : ComposedStream(body)
        // Upload tasks alone have one, and it is no part of their request.
        case .file, nil: values.body = nil
        }
        return URLRequest(values)
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
