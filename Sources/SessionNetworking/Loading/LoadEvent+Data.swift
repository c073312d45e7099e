#if !canImport(Darwin)
import ClientMachines
import Foundation
import NIOCore

extension LoadEvent {
    /// A buffer holds less than 4 GiB, and data may have more.
    static let pieceBytes = 16 * 1024 * 1024

    /// The data in as many events as it takes: none for none.
    static func pieces(of data: some DataProtocol, upTo bytes: Int = pieceBytes) -> [LoadEvent] {
        stride(from: 0, to: data.count, by: bytes).map { start in
            .data(ByteBuffer(bytes: data.dropFirst(start).prefix(bytes)))
        }
    }
}
#endif
