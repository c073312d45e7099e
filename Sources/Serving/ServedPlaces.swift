import HTTPBasics
import ServerScript

/// Where a served script is to be found, as the environment of a command has it.
package enum ServedPlaces {
    package static let url = "UNDERSTUDY_URL"
    package static let control = "UNDERSTUDY_CONTROL_URL"

    /// `UNDERSTUDY_URL` for the first host, and `UNDERSTUDY_URL_B_TEST` for each.
    package static func variables(_ hosts: [String], url of: (String) -> String?) -> [String: String] {
        var variables: [String: String] = [:]
        for host in hosts {
            guard let url = of(host) else { continue }
            if variables.isEmpty { variables[self.url] = url }
            variables["\(self.url)_\(word(host))"] = url
        }
        return variables
    }

    /// `UNDERSTUDY_URL_USERS` for `/users`, `UNDERSTUDY_URL_USERS_TEST` for what is asked with `Host: users.test`, and
    /// `UNDERSTUDY_URL_8081` for a port.
    package static func variables(
        _ mounts: [ScriptMount], url server: String, of host: (String) -> String?
    ) -> [String: String] {
        var variables: [String: String] = [:]
        for mount in mounts {
            variables[variable(of: mount.place)] = url(of: mount, server: server, bound: host)
        }
        return variables
    }

    /// Where a mount is; one for a Host field is where the server is.
    static func url(of mount: ScriptMount, server: String, bound: (String) -> String?) -> String {
        switch mount.place {
        case .prefix(let path): server + path
        case .host: server
        case .port: bound(mount.label) ?? "?"
        }
    }

    static func variable(of place: ScriptMount.Place) -> String {
        switch place {
        case .prefix(let path): "\(url)_\(word(String(path.dropFirst())))"
        case .host(let name): "\(url)_\(word(name))"
        case .port(let port): "\(url)_\(port)"
        }
    }

    /// What clients look at that take their proxy from the environment, in both spellings; what would keep them from
    /// it is emptied.
    package static func proxyVariables(_ url: String) -> [String: String] {
        var variables: [String: String] = [:]
        for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            variables[name] = url
        }
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = "" }
        return variables
    }

    /// A name of a host as a part of a variable's name.
    static func word(_ host: String) -> String {
        String(decoding: host.utf8.map { ASCII.isLetter($0) || ASCII.isDigit($0) ? $0 : 0x5f }, as: UTF8.self)
            .uppercased()
    }
}
