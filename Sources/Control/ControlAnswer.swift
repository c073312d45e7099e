import Foundation

struct ControlAnswer: Equatable, Sendable {
    let status: Int
    let type: String
    let body: [UInt8]
    /// The methods that a 405 names (RFC 9110 15.5.6).
    var allowed: String?

    init(status: Int, type: String, body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    /// - Parameter object: Of what JSONSerialization takes.
    init(status: Int = 200, json object: [String: Any], type: String = "application/json") {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data("{}".utf8)
        self.init(status: status, type: type, body: Array(data) + [0x0a])
    }

    static let done = ControlAnswer(status: 204, type: "", body: [])
}
