import ClientEngine
import ClientMachines
import Foundation
import Locks
import MachineContract

/// The GSSAPI of a scenario over sockets. Its calls block for as long as the scenario wants.
final class ScriptedNegotiator: Negotiator {
    private let script: ScriptedGSSAPI?

    init(_ script: ScriptedGSSAPI?) { self.script = script }

    func begin(host: String, credential: Credential?) -> any NegotiatorContext {
        let login = credential.map { (user: $0.user, password: $0.password) }
        return Context(script, script.map { ScriptedGSSAPI.Context($0, host: host, login: login) })
    }

    private final class Context: NegotiatorContext {
        private let delay: Duration
        private let words: Lock<ScriptedGSSAPI.Context?>

        init(_ script: ScriptedGSSAPI?, _ context: ScriptedGSSAPI.Context?) {
            delay = script?.delay ?? .zero
            words = Lock(context)
        }

        func next(_ received: [UInt8]?) -> NegotiateAnswer {
            Thread.sleep(forTimeInterval: delay / .seconds(1))
            return words.withLock { $0?.next(received) }.map { NegotiateAnswer($0) } ?? .absent
        }
    }
}
