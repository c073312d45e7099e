import HTTPBasics

/// What a server that keeps uploads answers by itself.
struct UploadAnswer: Hashable {
    var status: Int
    var fields: Fields
    var text: String

    init(_ status: Int, _ text: String = "", fields: Fields = Fields()) {
        self.status = status
        self.fields = fields
        self.text = text
    }

    /// A problem type of revision 04 on (RFC 9457); `members` are those besides type and title.
    init(_ status: Int, problem: String, _ title: String, members: [(String, Int)] = [], fields: Fields) {
        self.init(status, fields: fields)
        let type = "https://iana.org/assignments/http-problem-types#\(problem)"
        let numbers = members.map { ", \"\($0.0)\": \($0.1)" }.joined()
        text = "{\"type\": \"\(type)\", \"title\": \"\(title)\"\(numbers)}"
        self.fields.append("Content-Type", "application/problem+json")
    }

    var reply: Reply {
        var fields = fields
        if !text.isEmpty, !fields.contains("Content-Type") {
            fields.append("Content-Type", "text/plain; charset=utf-8")
        }
        return Reply(status: status, fields: fields, body: .text(text.isEmpty ? "" : text + "\n"))
    }
}
