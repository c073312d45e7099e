#if !canImport(Darwin)
import Foundation
import Locks

/// The delegate methods whose presence is worth remembering.
enum DelegateMethod: UInt8, CaseIterable, Sendable {
    case redirect, redirectAsync, challenge, challengeAsync, response, responseAsync
    case bodyStream, bodyStreamAsync
    case created, sentBody, informational, data, wrote, resumed, finishedFile, completed

    enum Owner { case task, data, download }

    var owner: Owner {
        switch self {
        case .response, .responseAsync, .data: .data
        case .wrote, .resumed, .finishedFile: .download
        case .redirect, .redirectAsync, .challenge, .challengeAsync, .bodyStream, .bodyStreamAsync, .created, .sentBody,
            .informational, .completed:
            .task
        }
    }
}

/// What was learned about delegate types: which methods they have and which they leave out.
///
/// One table a process, since types never change. A subclass that adds a method which its conforming superclass lacks
/// cannot be seen: Swift calls the protocol's default then (DIVERGENCES.md).
enum KnownMethods {
    enum Presence: Sendable { case unknown, present, missing }

    private struct Bits { var present: UInt32 = 0, missing: UInt32 = 0 }
    private static let table = Lock<[ObjectIdentifier: Bits]>([:])

    static func presence(_ method: DelegateMethod, _ type: ObjectIdentifier) -> Presence {
        let bits = table.withLock { $0[type] } ?? Bits()
        let mask = UInt32(1) << method.rawValue
        return bits.missing & mask != 0 ? .missing : bits.present & mask != 0 ? .present : .unknown
    }

    static func learn(_ method: DelegateMethod, _ type: ObjectIdentifier, isPresent: Bool) {
        let mask = UInt32(1) << method.rawValue
        table.withLock { table in
            if isPresent {
                table[type, default: Bits()].present |= mask
            } else {
                table[type, default: Bits()].missing |= mask
            }
        }
    }
}
#endif
