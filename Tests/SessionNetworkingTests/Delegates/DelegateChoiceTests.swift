import ClientMachines
import Foundation
import Testing

@testable import SessionNetworking

@Suite struct DelegateChoiceTests {
    private final class SessionOnly: NSObject, URLSessionDelegate {}
    private final class TaskOnly: NSObject, URLSessionTaskDelegate {}
    private final class DataToo: NSObject, URLSessionDataDelegate {}

    private static let known = KnownTypes()
    private static let session = DelegateFaces(SessionOnly(), known: known)
    private static let task = DelegateFaces(TaskOnly(), known: known)
    private static let data = DelegateFaces(DataToo(), known: known)

    private static let delegate = Endpoint.delegate
    private static let handler = Endpoint.dataHandler(BodyCollector(), CompletionHandler { _, _, _ in })
    private static let later = Endpoint.asyncData(BodyCollector(), AsyncResult())

    @Test(
        arguments: [
            // endpoint, download, task's delegate, session's delegate, questions
            (delegate, false, nil, nil, []),
            (delegate, false, nil, session, .connection),
            (delegate, false, nil, task, [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom]),
            (delegate, false, task, nil, [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom]),
            (
                delegate, false, nil, data,
                [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom, .response, .willCache]
            ),
            (
                delegate, false, data, session,
                [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom, .response, .willCache]
            ),
            (
                delegate, false, task, data,
                [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom, .response, .willCache]
            ),
            (delegate, true, nil, data, [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom]),
            (handler, false, nil, data, [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom]),
            (handler, false, nil, nil, []),
            (later, false, data, data, [.redirect, .challenge, .connection, .bodyStream, .bodyStreamFrom]),
        ] as [(Endpoint, Bool, DelegateFaces?, DelegateFaces?, QuestionKinds)])
    func `only what somebody may answer is asked`(
        endpoint: Endpoint, isDownload: Bool, task: DelegateFaces?, session: DelegateFaces?, wanted: QuestionKinds
    ) {
        let asked = DelegateChoice(task: task, session: session)
            .questions(endpoint: endpoint, isDownload: isDownload)
        #expect(asked == wanted)
    }

    @Test(arguments: DelegateMethod.allCases) func `the task's delegate is the first choice`(_ method: DelegateMethod) {
        let spies = ["t", "s"].map { SpyDelegate($0, Journal()) }
        let faces = spies.map { DelegateFaces($0, known: KnownTypes()) }
        let found = DelegateChoice(task: faces[0], session: faces[1]).able(to: method)
        #expect(found.map { ObjectIdentifier($0.session) } == spies.map { ObjectIdentifier($0) })
        // Methods of a task are beyond a delegate that adopts only the session's protocol.
        let isBeyond = DelegateChoice(task: nil, session: Self.session).able(to: method).isEmpty
        #expect(isBeyond == (method.owner != .session))
    }
}
