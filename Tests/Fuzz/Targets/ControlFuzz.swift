import Control
import NIOCore

/// A request of the control interface: its target in the first line, its body behind. What it reads is read the same
/// way again, and its patterns agree with those of another who tries everything.
enum ControlFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let lines = String(buffer: bytes).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let target = String(lines.first ?? ""), body = Array((lines.count > 1 ? lines[1] : "").utf8)
        if let request = try? ControlRequest(method: "POST", target: target, body: body) {
            _ = try? request.scope()
            _ = try? RequestFilter(request.object(RequestFilter.names))
            _ = try? Verification(request.object(Verification.names))
        }
        let pattern = Array(target.utf8.prefix(24)), text = Array(body.prefix(24))
        try demand(
            RequestFilter.matches(pattern, text), equals: tries(pattern[...], text[...]), "\(pattern) and \(text)")
    }

    private static func tries(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        // Row by row: whether each beginning of the text fits the beginning of the pattern so far.
        var fits = [true] + text.map { _ in false }
        for byte in pattern {
            if byte == UInt8(ascii: "*") {
                for index in fits.indices.dropFirst() { fits[index] = fits[index] || fits[index - 1] }
            } else {
                fits = [false] + zip(fits, text).map { $0 && $1 == byte }
            }
        }
        return fits.last ?? false
    }
}
