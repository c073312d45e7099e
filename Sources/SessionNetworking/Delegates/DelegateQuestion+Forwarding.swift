#if !canImport(Darwin)
import Foundation

/// A delegate that hands a question on to another object calls one form of a method where that object may have the
/// other. Objective-C calls whichever is there; here it is the protocol's default that runs, and that goes on from one
/// form to the other before it does the default thing (BEHAVIOUR 1.B1-forwarded).
extension DelegateQuestion {
    /// For the default of the form with a completion handler.
    func goOnInAsyncForm(of delegate: any URLSessionDelegate) {
        guard let call = ForwardedCall(of: Self.asyncMethod, by: delegate) else {
            return answerByDefault()
        }
        let faces = DelegateFaces(delegate, known: session.dispatcher.world.knownTypes)
        guard faces.mayImplement(Self.asyncMethod) else { return answerByDefault() }
        session.dispatcher.runAsync {
            let isAnswered = await ForwardedCall.$open.withValue(call.andOpen) { await askAsync(faces) }
            if !isAnswered { answerByDefault() }
        }
    }

    /// For the default of the asynchronous form. On the delegate queue, where such methods belong.
    func goOnInHandlerForm(of delegate: any URLSessionDelegate) {
        guard let call = ForwardedCall(of: Self.method, by: delegate) else {
            return answerByDefault()
        }
        let faces = DelegateFaces(delegate, known: session.dispatcher.world.knownTypes)
        guard faces.mayImplement(Self.method) else { return answerByDefault() }
        let open = call.andOpen
        session.onDelegateQueue {
            let isAnswered = ForwardedCall.$open.withValue(open) { ask(faces) }
            if !isAnswered { answerByDefault() }
        }
    }

    /// Waits for the answer to a question that goes on in its form with a handler; of several answers the first counts.
    static func answer(
        of delegate: any URLSessionDelegate, _ question: (@escaping @Sendable (Answer) -> Void) -> Self
    ) async -> Answer {
        let result = AsyncResult<HandedOver<Answer>>()
        let asked = question { result.fulfil(.success(HandedOver(value: $0))) }
        let answer = try? await result.value { asked.goOnInHandlerForm(of: delegate) }
        return answer?.value ?? asked.defaultAnswer
    }
}

/// One form of a method that was called in place of the other, so that an object whose two forms call each other is
/// not asked for ever.
private struct ForwardedCall: Hashable, Sendable {
    @TaskLocal static var open: Set<ForwardedCall> = []

    private let target: ObjectIdentifier
    private let method: DelegateMethod

    /// Nil if this very form is what called the default.
    init?(of method: DelegateMethod, by delegate: any URLSessionDelegate) {
        (target, self.method) = (ObjectIdentifier(delegate), method)
        guard !Self.open.contains(self) else { return nil }
    }

    var andOpen: Set<ForwardedCall> { Self.open.union([self]) }
}

/// An answer on its way from the object that gives it to the one that waits.
///
/// Safety of the unchecked conformance: the caller of a completion handler does not keep what it passes.
private struct HandedOver<Value>: @unchecked Sendable {
    let value: Value
}
#endif
