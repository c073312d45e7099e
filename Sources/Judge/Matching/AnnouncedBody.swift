import HTTPBasics

/// What a response says of its body before that has come, as the caller can read it.
package struct AnnouncedBody: Hashable, Sendable {
    package var status: Int?
    /// -1 where it is not said.
    package var length: Int
    /// The method that it answers.
    package var method: String?
    /// Whether its coding was undone: its length counts what was sent then, and the caller is given something else.
    package var isCoded: Bool

    package init(status: Int?, length: Int, method: String?, isCoded: Bool = false) {
        self.status = status
        self.length = length
        self.method = method
        self.isCoded = isCoded
    }

    /// What is wrong with a success that has delivered so many bytes.
    func difference(from delivered: Int) -> String? {
        guard !isBodiless, !isCoded, length >= 0, delivered != length else { return nil }
        return "success with \(delivered) of \(length) announced bytes"
    }

    /// The same of a file. Where a download went on, a 206 announces what was missing, and a 416 says that nothing was.
    func difference(fromFile size: Int) -> String? {
        status == 206 && size > length || status == 416 ? nil : difference(from: size)
    }

    /// Announced but never sent: RFC 9110 8.6.
    private var isBodiless: Bool { status == 204 || status == 304 || method == "HEAD" }
}
