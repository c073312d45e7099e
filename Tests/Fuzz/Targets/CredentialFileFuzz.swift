import NIOCore
import SessionNetworking

/// The file of permanent credentials, as a program finds it: what is read is written again, and reads back the same;
/// whatever it was, there is a bound to it.
enum CredentialFileFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        if let pointer = CredentialPointer(Array(bytes.readableBytesView)) {
            try demand(CredentialPointer(pointer.bytes), equals: pointer, "what was written reads back otherwise")
        }
        guard let records = CredentialRecords(Array(bytes.readableBytesView)) else { return }
        try demand(records.list.count <= CredentialRecords.most, "more credentials than may be")
        let written = records.bytes
        try demand(written.count <= CredentialRecords.mostBytes, "a larger file than may be")
        guard let again = CredentialRecords(written) else {
            throw Violation(description: "what was written cannot be read")
        }
        try demand(again.bytes, equals: written, "what was read is written otherwise")
        if written.count < CredentialRecords.mostBytes / 2 {
            try demand(again, equals: records, "what was written reads back otherwise")
        }
    }
}
