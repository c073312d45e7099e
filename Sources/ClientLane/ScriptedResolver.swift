import ClientEngine
import ClientMachines
import Foundation
import ScenarioFormat
import ScriptedServer

/// The hosts of a script over loopback: their names, and addresses that cannot be reached.
///
/// There is one IPv6 address on a loopback interface, and perhaps none. So IPv6 addresses are mapped ones
/// (`::ffff:127.0.0.1`): for the client they are of that family, and the kernel leads them to the same listeners.
final class ScriptedResolver: Resolver {
    private struct Name {
        var answer: ScriptedName.Answer
        var texts: [String]
    }

    /// Of the two second numbers of this process's addresses: 2 to 240.
    private static let firstOfOurs = 2 + 2 * (Int(ProcessInfo.processInfo.processIdentifier) % 120)

    private let names: [String: [AddressFamily: Name]]
    private let others: FixedResolver
    /// Held until the session is gone.
    private let silent: [DeafPort]

    init(_ scripted: [ScriptedName], _ hosts: [String: (ip: String, port: Int)]) throws {
        var names: [String: [AddressFamily: Name]] = [:], silent: [DeafPort] = []
        for (number, name) in scripted.enumerated() where !name.isSystems {
            guard let listener = hosts[name.host] else { continue }
            for family in AddressFamily.allCases {
                let own = ScriptedName.Family(rawValue: family.rawValue) ?? .v4
                let texts = try name.places(own).enumerated().map { index, place in
                    // Every place of a script has an address of its own, so that the ports are free there. Another
                    // worker may still be silent at a port that its server has given up, and this one's has got.
                    let first = Self.firstOfOurs + (place == .silent ? 0 : 1)
                    let last = "\(number + 1).\(index + 1 + (family == .v6 ? 100 : 0))"
                    let ip = place == .answers ? listener.ip : "127.\(first).\(last)"
                    if place == .silent {
                        silent.append(try DeafPort(ip: ip, port: listener.port, .neverAnswers))
                    }
                    return family == .v6 ? "::ffff:\(ip)" : ip
                }
                names[name.host, default: [:]][family] = Name(answer: name[own], texts: texts)
            }
        }
        self.names = names
        self.silent = silent
        others = FixedResolver(hosts.mapValues(\.ip))
    }

    func resolve(
        host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
    ) -> NameWaiter? {
        guard let name = names[host.lowercased()]?[family] else {
            return others.resolve(host: host, port: port, family: family, answer: answer)
        }
        let found: ResolverAnswer =
            name.texts.isEmpty || name.answer == .unknown
            ? .failure("no such host: \(host)")
            : .addresses(name.texts.map { NetworkAddress(text: $0, port: port) })
        switch name.answer {
        case .never: break
        case .unknown, .after(.zero): answer(found)
        case .after(let delay):
            DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1)) { answer(found) }
        }
        return nil
    }

    func withdraw(_ waiter: NameWaiter) { others.withdraw(waiter) }
}
