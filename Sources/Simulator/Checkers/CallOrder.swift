import ClientMachines

/// How far a task is, as its user sees it.
struct CallPhase: OptionSet, Hashable {
    let rawValue: UInt8

    static let starting = CallPhase(rawValue: 1)
    static let answered = CallPhase(rawValue: 2)
    static let receiving = CallPhase(rawValue: 4)
    static let resumed = CallPhase(rawValue: 8)
    static let writing = CallPhase(rawValue: 16)
    static let filed = CallPhase(rawValue: 32)
    static let completed = CallPhase(rawValue: 64)

    static let beforeFile: CallPhase = [.starting, .answered, .resumed, .writing]
}

/// Words for what a user can be told or asked.
enum CallWord: Int, CaseIterable {
    case requestChanged, letIn, waiting, informational, sentBody, redirect, challenge, bodyStream, delayedRequest,
        loadChallenge,
        connection, cookies, kept
    case response, data, becameDownload, resumed, wrote, file, willCache, metrics, complete

    init(_ call: UserCall) {
        switch call {
        case .requestChanged: self = .requestChanged
        case .letIn: self = .letIn
        case .waitingForConnectivity: self = .waiting
        case .informational: self = .informational
        case .sentBody: self = .sentBody
        case .response: self = .response
        case .data: self = .data
        case .becameDownload: self = .becameDownload
        case .wrote: self = .wrote
        case .resumed: self = .resumed
        case .file: self = .file
        case .metrics: self = .metrics
        case .complete: self = .complete
        }
    }

    init(_ question: UserQuestion) {
        switch question {
        case .redirect: self = .redirect
        case .challenge: self = .challenge
        case .response: self = .response
        case .bodyStream, .bodyStreamFrom: self = .bodyStream
        case .delayedRequest: self = .delayedRequest
        case .loadChallenge: self = .loadChallenge
        case .connection: self = .connection
        case .cookies: self = .cookies
        case .kept: self = .kept
        case .willCache: self = .willCache
        }
    }
}

/// The documented order of calls, as a table (BEHAVIOUR 1.B2, 1.B4, 1.B6 to 1.B9).
enum CallOrder {
    struct Row {
        var call: CallWord
        /// The phases in which the call may come, for a task that delivers data and for a download.
        var data: CallPhase
        var download: CallPhase
        /// The phase after it; nil leaves it.
        var next: CallPhase?
    }

    /// In the order of `CallWord`.
    static let table: [Row] = [
        Row(call: .requestChanged, data: .starting, download: .starting),
        // What opens a tunnel may come late: its task may have got another connection.
        Row(
            call: .letIn, data: [.starting, .answered, .receiving],
            download: [.starting, .answered, .resumed, .writing, .filed]),
        Row(call: .waiting, data: .starting, download: .starting),
        Row(call: .informational, data: .starting, download: .starting),
        // An early answer may come while the body is still being sent (BEHAVIOUR 1.B4).
        Row(call: .sentBody, data: [.starting, .answered, .receiving], download: .beforeFile),
        Row(call: .redirect, data: .starting, download: .starting),
        Row(call: .challenge, data: .starting, download: .starting),
        Row(call: .bodyStream, data: .starting, download: .starting),
        Row(call: .delayedRequest, data: .starting, download: .starting),
        Row(call: .loadChallenge, data: .starting, download: .starting),
        // What a connection asks may come late: its task may have got another one.
        Row(call: .connection, data: [.starting, .answered, .receiving], download: .beforeFile),
        Row(call: .cookies, data: .starting, download: .starting),
        Row(call: .kept, data: .starting, download: []),
        Row(call: .response, data: .starting, download: .starting, next: .answered),
        Row(call: .data, data: [.answered, .receiving], download: [], next: .receiving),
        Row(call: .becameDownload, data: .answered, download: []),
        Row(call: .resumed, data: [], download: [.starting, .answered], next: .resumed),
        Row(call: .wrote, data: [], download: .beforeFile, next: .writing),
        Row(call: .file, data: [], download: .beforeFile, next: .filed),
        Row(call: .willCache, data: [.answered, .receiving], download: []),
        // After any call; only the completion comes after it (BEHAVIOUR 2.G1).
        Row(
            call: .metrics, data: [.starting, .answered, .receiving],
            download: [.starting, .answered, .resumed, .writing, .filed]),
        Row(
            call: .complete, data: [.starting, .answered, .receiving],
            download: [.starting, .answered, .resumed, .writing, .filed], next: .completed),
    ]
}
