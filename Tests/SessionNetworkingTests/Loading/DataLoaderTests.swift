import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

/// `data:` URLs through the public API.
@Suite(.endsInTime) struct DataLoaderTests {
    private let session = URLSession(configuration: .ephemeral)

    // BEHAVIOUR 2.H3-data
    @Test(
        arguments: [
            ("data:,hello%20there", "text/plain", nil, "hello there"),
            ("data:text/html;charset=UTF-8,%C3%BC", "text/html", "utf-8", "ü"),
            ("data:application/json;base64,e30=", "application/json", nil, "{}"),
            ("data:image/png,", "image/png", nil, ""),
        ] as [(String, String, String?, String)])
    func `the response tells type, charset and length`(
        text: String, type: String, charset: String?, body: String
    ) async throws {
        let url = try #require(URL(string: text))
        let (data, response) = try await session.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == body)
        #expect(response.mimeType == type && response.textEncodingName == charset && response.url == url)
        #expect(response.expectedContentLength == data.count && !(response is HTTPURLResponse))
    }

    // BEHAVIOUR 2.H3-data
    @Test(arguments: ["data:text/plain", "data:;base64,A", "data:;base64,*"])
    func `a malformed one is a bad URL`(text: String) async throws {
        let url = try #require(URL(string: text))
        do {
            _ = try await session.data(from: url)
            Issue.record("it was loaded")
        } catch let error as URLError {
            #expect(error.code == .badURL && error.failingURL == url)
        }
    }
}
