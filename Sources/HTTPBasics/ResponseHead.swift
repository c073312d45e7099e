/// Status line and fields of one response, final or informational.
///
/// A class, so that a head travels from the wire to the delegate without being copied.
package final class ResponseHead: Hashable, Sendable {
    package let minorVersion: UInt8
    package let status: Int
    package let reason: String
    package let fields: FieldBlock

    package init(minorVersion: UInt8 = 1, status: Int, reason: String = "", fields: FieldBlock) {
        self.minorVersion = minorVersion
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    package convenience init(status: Int, _ fields: Fields = Fields()) {
        self.init(status: status, fields: FieldBlock(fields))
    }

    package static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        left === right
            || left.minorVersion == right.minorVersion && left.status == right.status
                && left.reason == right.reason && left.fields == right.fields
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(fields)
    }
}
