import HTTPBasics
import ServerScript

/// A scenario's case whose server's half is played for any client, in a scope of its own.
package struct CookbookCase: Hashable, Sendable {
    package var id: String
    /// What it is about, in a sentence.
    package var about: String
    package var script: Script
    /// Why only the scenario's own client can play it; nil if any can.
    package var obstacle: String?
    /// What the scenario demands besides the steps, and nobody judges here.
    package var unjudged: [String] = []

    package init(
        _ id: String, about: String = "", script: Script, obstacle: String? = nil, unjudged: [String] = []
    ) {
        self.id = id
        self.about = about
        self.script = script
        self.obstacle = obstacle
        self.unjudged = unjudged
    }

    static let scopePrefix = "case."

    /// The scope that plays it, one for each client that gives itself a name. Slashes cannot stand in it, and of a long
    /// id a checksum must do.
    func scope(of client: String) -> String {
        let name = String(
            decoding: id.utf8.map { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2d ? $0 : 0x2e }, as: UTF8.self)
        var sum = Checksum()
        Array(id.utf8).withUnsafeBytes { sum.update($0) }
        let short = name.utf8.count <= 40 ? name : String(sum.value, radix: 16)
        return CookbookCase.scopePrefix + short + (client.isEmpty ? "" : "~" + client)
    }
}

/// The cases of a server, by what a URL says.
package struct CookbookCases: Sendable {
    /// In the order in which they are listed.
    package let list: [CookbookCase]
    private let byID: [String: CookbookCase]
    private let byScope: [String: CookbookCase]

    package init(_ list: [CookbookCase] = []) {
        self.list = list
        byID = list.reduce(into: [:]) { $0[$1.id] = $1 }
        byScope = list.reduce(into: [:]) { $0[$1.scope(of: "")] = $1 }
    }

    subscript(id: String) -> CookbookCase? { byID[id] }

    /// What the scope of this name plays; nil if it is none of a case's.
    func played(in scope: String) -> CookbookCase? {
        let found = byScope[String(scope.utf8.prefix { $0 != UInt8(ascii: "~") }) ?? ""]
        return found?.obstacle == nil ? found : nil
    }
}
