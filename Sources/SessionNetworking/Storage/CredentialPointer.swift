#if !canImport(Darwin)
import Foundation

/// What the file of permanent credentials says while they are in the desktop's Secret Service: that they are there, and
/// which version of them it is, so that other processes see that they have changed (BEHAVIOUR 2.A11-service).
package struct CredentialPointer: Codable, Hashable, Sendable {
    package var secretService: UInt64

    package init(_ number: UInt64) { secretService = number }

    /// Nil for every other file.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= 100, let read = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = read
    }

    package var bytes: [UInt8] { Array("{\"secretService\":\(secretService)}\n".utf8) }

    package var next: CredentialPointer { CredentialPointer(secretService &+ 1) }
}
#endif
