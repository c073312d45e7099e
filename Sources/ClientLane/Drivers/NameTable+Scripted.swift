import ClientMachines
import HTTPBasics
import ScenarioFormat
import ServerScript
import Simulator

extension NameTable {
    /// What `names:` says, with addresses that no script host has.
    init(_ names: [ScriptedName], in script: Script) {
        self.init()
        for (number, name) in names.enumerated() {
            let port = Origin.defaultPort(of: script.scheme(of: name.host)) ?? 80
            for family in ScriptedName.Family.allCases {
                let places = name.places(family)
                let texts = places.indices.map {
                    family == .v6 ? "2001:db8:\(number + 1)::\($0 + 1)" : "192.0.\(number + 2).\($0 + 1)"
                }
                for (place, text) in zip(places, texts) {
                    setReachability(Reachability(place, of: name.host), at: NetworkAddress(text: text, port: port))
                }
                set(name[family], texts, for: name.host, family == .v6 ? .v6 : .v4)
            }
        }
    }

    private mutating func set(
        _ answer: ScriptedName.Answer, _ texts: [String], for host: String, _ family: AddressFamily
    ) {
        switch answer {
        case .never: setAnswer(.silence, for: host, family)
        case .unknown: setAnswer(.unknown(detail: "no such host: \(host)"), for: host, family)
        case .after(let delay): setAnswer(.addresses(texts), for: host, family, after: delay)
        }
    }
}

extension NameTable.Reachability {
    fileprivate init(_ place: ScriptedName.Place, of host: String) {
        switch place {
        case .answers: self = .listener(host: host)
        case .late(let delay): self = .listener(host: host, after: delay)
        case .silent: self = .silence
        case .refused: self = .failure(.refused)
        case .unreachable: self = .failure(.networkUnreachable)
        }
    }
}
