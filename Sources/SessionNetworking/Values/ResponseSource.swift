#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Where a response object has its facts from.
enum ResponseSource: Sendable {
    /// From the wire: nothing has been turned into strings yet. The URL that was asked for is most often the response's
    /// own.
    case received(Response, asked: URL?)
    /// Made by the caller from a status and fields.
    indirect case built(URL?, ResponseHead, expectedLength: Int64)
    /// Made by the caller, for any protocol.
    indirect case described(DescribedResponse)

    var head: ResponseHead? {
        switch self {
        case .received(let response, _): return response.head
        case .built(_, let head, _): return head
        case .described: return nil
        }
    }

    var expectedLength: Int64 {
        switch self {
        case .received(let response, _): return response.expectedLength.transferSize
        case .built(_, _, let length): return length
        case .described(let facts): return facts.expectedLength
        }
    }
}

struct DescribedResponse: Sendable {
    var url: URL?
    var mimeType: String?
    var textEncodingName: String?
    var expectedLength: Int64
}

/// A response as it stands in an archive.
struct ResponseArchive: Codable {
    private var url: URL?
    private var mimeType: String?
    private var textEncodingName: String?
    private var expectedLength: Int64
    private var http: HTTP?

    private struct HTTP: Codable {
        var minorVersion: UInt8
        var status: Int
        var reason: String
        var fields: [ArchivedField]
    }

    init(_ source: ResponseSource, url: URL?) {
        self.url = url
        expectedLength = source.expectedLength
        if case .described(let facts) = source {
            mimeType = facts.mimeType
            textEncodingName = facts.textEncodingName
        }
        http = source.head.map { head in
            HTTP(
                minorVersion: head.minorVersion, status: head.status, reason: head.reason,
                fields: head.fields.fields.list.map { ArchivedField(name: $0.name, value: $0.value) })
        }
    }

    var source: ResponseSource {
        guard let http else {
            return .described(
                DescribedResponse(
                    url: url, mimeType: mimeType, textEncodingName: textEncodingName, expectedLength: expectedLength))
        }
        let fields = Fields(http.fields.map { Fields.Field($0.name, $0.value) })
        let head = ResponseHead(
            minorVersion: http.minorVersion, status: http.status, reason: http.reason, fields: FieldBlock(fields))
        return .built(url, head, expectedLength: expectedLength)
    }
}
#endif
