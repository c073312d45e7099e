import Foundation
import HTTPBasics
import NIOCore
import SessionNetworking

/// What callers keep for later and bring back. The first line says what of: `download`, `upload` or `slices`; the
/// rest are the bytes, or, behind a `=`, JSON that is put into resume data's envelope as a binary property list.
enum StateFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let rest = Data(input.rest.readableBytesView)
        let data =
            rest.first == UInt8(ascii: "=")
            ? Sealed.resumeData(String(decoding: rest.dropFirst(), as: UTF8.self)) ?? rest : rest
        switch input.firstLine {
        case "download":
            guard let token = ResumeDataCoding.decode(data) else { return }
            try demand(ResumeDataCoding.encode(token).flatMap(ResumeDataCoding.decode), equals: token, "another token")
        case "upload":
            guard let token = UploadDataCoding.decode(data) else { return }
            try demand(UploadDataCoding.encode(token).flatMap(UploadDataCoding.decode), equals: token, "another token")
        case "slices":
            guard let state = try? JSONDecoder().decode(SlicedUpload.State.self, from: data) else { return }
            try demand(0...max(0, state.fileSize) ~= state.storedLength, "\(state.storedLength) of \(state.fileSize)")
            let again = try JSONDecoder().decode(SlicedUpload.State.self, from: JSONEncoder().encode(state))
            try demand(again, equals: state, "another state")
        default: return
        }
    }
}

/// Resume data with any content, in an envelope that is right.
enum Sealed {
    /// Nil for what no property list can hold.
    static func resumeData(_ json: String) -> Data? {
        guard let list = try? JSONSerialization.jsonObject(with: Data(json.utf8)),
            PropertyListSerialization.propertyList(list, isValidFor: .binary),
            let inner = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        else { return nil }
        return ResumeDataCoding.seal(inner: inner)
    }
}
