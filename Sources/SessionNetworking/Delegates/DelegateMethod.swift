#if !canImport(Darwin)
import Foundation

/// The delegate methods whose presence is worth remembering.
package enum DelegateMethod: UInt8, CaseIterable, Sendable {
    case redirect, redirectAsync, challenge, challengeAsync, response, responseAsync
    case bodyStream, bodyStreamAsync, bodyStreamFrom, bodyStreamFromAsync, delayedRequest, delayedRequestAsync
    case sessionChallenge, sessionChallengeAsync, willCache, willCacheAsync
    case created, waiting, sentBody, informational, data, becameDownload, wrote, resumed, finishedFile, metrics,
        completed

    enum Owner { case session, task, data, download }

    var owner: Owner {
        switch self {
        case .sessionChallenge, .sessionChallengeAsync: .session
        case .response, .responseAsync, .data, .becameDownload, .willCache, .willCacheAsync: .data
        case .wrote, .resumed, .finishedFile: .download
        case .redirect, .redirectAsync, .challenge, .challengeAsync, .bodyStream, .bodyStreamAsync, .bodyStreamFrom,
            .bodyStreamFromAsync, .delayedRequest, .delayedRequestAsync, .created, .waiting, .sentBody, .informational,
            .metrics, .completed:
            .task
        }
    }
}

package struct DelegateMethods: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package init(_ method: DelegateMethod) { rawValue = 1 << method.rawValue }

    /// All that a protocol declares.
    init(of owner: DelegateMethod.Owner) {
        self = DelegateMethod.allCases.filter { $0.owner == owner }.reduce(into: []) { $0.insert(DelegateMethods($1)) }
    }

    static let ofSession = DelegateMethods(of: .session)
    static let ofTask = DelegateMethods(of: .task)
    static let ofData = DelegateMethods(of: .data)
    static let ofDownload = DelegateMethods(of: .download)
}
#endif
