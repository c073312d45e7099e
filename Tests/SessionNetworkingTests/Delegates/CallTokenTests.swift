import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

/// How an implemented method is told from a protocol's default.
@Suite(.endsInTime) struct CallTokenTests {
    private class Plain: NSObject, URLSessionDataDelegate, @unchecked Sendable {}

    /// Implements by forwarding, as mocks and proxies do.
    private final class Proxy: NSObject, URLSessionDataDelegate {
        let inner: any URLSessionDataDelegate
        init(_ inner: any URLSessionDataDelegate) { self.inner = inner }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            inner.urlSession(session, task: task, didCompleteWithError: error)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            inner.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
        }
    }

    private let known = KnownTypes()
    private let world = FakeWorld()
    private let session: URLSession
    private let task = URLSessionDataTask()

    init() { session = world.makeSession() }

    private func complete(_ delegate: any URLSessionTaskDelegate) -> Bool {
        CallToken.isImplemented(.completed, by: delegate) {
            delegate.urlSession(session, task: task, didCompleteWithError: nil)
        }
    }

    @Test func `a default is not an implementation`() {
        #expect(!complete(Plain()))
        #expect(complete(SpyDelegate("s", Journal())))
    }

    @Test func `a proxy that forwards to a default has implemented the method`() {
        #expect(complete(Proxy(Plain())))
        #expect(complete(Proxy(Proxy(Plain()))))
    }

    @Test func `a default behind a proxy does the default thing by itself`() {
        let allowed = Lock(false)
        let proxy = Proxy(Plain())
        let isThere = CallToken.isImplemented(.response, by: proxy) {
            proxy.urlSession(session, dataTask: task, didReceive: Sample.publicResponse) { disposition in
                allowed.withLock { $0 = disposition == .allow }
            }
        }
        world.queue.runAll()
        #expect(isThere)
        #expect(allowed.withLock { $0 })
    }

    @Test func `a default that is called outside of any call does the default thing`() {
        let allowed = Lock(false)
        Plain().urlSession(session, dataTask: task, didReceive: Sample.publicResponse) { disposition in
            allowed.withLock { $0 = disposition == .allow }
        }
        world.queue.runAll()
        #expect(allowed.withLock { $0 })
    }

    @Test func `calling a default of another method is no sign that this one is missing`() {
        final class Busy: NSObject, URLSessionDataDelegate {
            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
                urlSession(
                    session, task: dataTask, didSendBodyData: 0, totalBytesSent: 0, totalBytesExpectedToSend: 0)
            }
        }
        let busy = Busy()
        let isThere = CallToken.isImplemented(.data, by: busy) {
            busy.urlSession(session, dataTask: task, didReceive: Data())
        }
        #expect(isThere)
    }

    @Test func `a default that runs after its call has ended marks nothing`() async {
        final class Late: NSObject, URLSessionTaskDelegate {
            let job = Lock<Task<Void, Never>?>(nil)
            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                let later = Task { await self.again(session, task) }
                job.withLock { $0 = later }
            }

            private func again(_ session: URLSession, _ task: URLSessionTask) async {
                // Inherits the token of the call, which is closed by now or belongs to another method.
                urlSession(session, didCreateTask: task)
            }
        }
        let late = Late()
        #expect(complete(late))
        await late.job.withLock { $0 }?.value
        #expect(complete(late))
    }

    @Test func `asynchronous defaults are seen as well`() async {
        let plain = Plain()
        let missing = await CallToken.result(of: .responseAsync, by: plain) {
            await plain.urlSession(session, dataTask: task, didReceive: Sample.publicResponse)
        }
        #expect(missing == nil)
        final class Decided: NSObject, URLSessionDataDelegate {
            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
            ) async -> URLSession.ResponseDisposition {
                await Task.yield()
                return .cancel
            }
        }
        let decided = Decided()
        let answer = await CallToken.result(of: .responseAsync, by: decided) {
            await decided.urlSession(session, dataTask: task, didReceive: Sample.publicResponse)
        }
        #expect(answer == .cancel)
    }

    @Test func `a type is remembered, its subclass is another type`() {
        final class Parent: Plain, @unchecked Sendable {}
        let faces = DelegateFaces(Parent(), known: known)
        #expect(faces.mayImplement(.completed))
        let isThere = faces.call(.completed) {
            faces.task?.urlSession(session, task: task, didCompleteWithError: nil)
        }
        #expect(!isThere)
        #expect(!faces.mayImplement(.completed))
        #expect(!DelegateFaces(Parent(), known: known).mayImplement(.completed))
        #expect(faces.mayImplement(.created), "one method says nothing about another")
        final class Sibling: Plain, @unchecked Sendable {}
        #expect(DelegateFaces(Sibling(), known: known).mayImplement(.completed))
        #expect(
            DelegateFaces(Parent(), known: KnownTypes()).mayImplement(.completed), "another world learns for itself")
    }

    @Test func `a proxy does not make its type forget what it has`() {
        let proxy = DelegateFaces(Proxy(Plain()), known: known)
        for _ in 0..<2 {
            let isThere = proxy.call(.completed) {
                proxy.task?.urlSession(session, task: task, didCompleteWithError: nil)
            }
            #expect(isThere)
        }
        #expect(proxy.mayImplement(.completed))
    }
}
