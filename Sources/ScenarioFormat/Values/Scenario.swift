import HTTPBasics
import MachineContract
import ServerScript
import TLSBasics

/// One scenario file, decoded: every case is complete and holds no variable any more.
package struct Scenario: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable { case must, should, observe }

    /// The path below `scenarios/` without its ending.
    package var id: String
    package var file: String
    package var about: String
    /// Rows of Documentation/BEHAVIOUR.md that the scenario proves.
    package var rows: [String]
    /// Other sources, as text: RFC sections, documentation pages.
    package var refs: [String]
    package var kind: Kind
    package var tags: [String]
    package var needs: Needs
    /// At least one; a file without `cases:` has one without a name.
    package var cases: [ScenarioCase]

    package init(
        id: String, file: String, about: String = "", rows: [String] = [], refs: [String] = [], kind: Kind = .must,
        tags: [String] = [], needs: Needs = Needs(), cases: [ScenarioCase] = []
    ) {
        self.id = id
        self.file = file
        self.about = about
        self.rows = rows
        self.refs = refs
        self.kind = kind
        self.tags = tags
        self.needs = needs
        self.cases = cases
    }
}

/// Where a scenario makes sense; empty lists mean everywhere.
package struct Needs: Hashable, Sendable {
    package var worlds: [WorldName]
    package var styles: [Style]
    /// What its machine must have libraries for, and its client's world knows besides gzip and deflate.
    package var codings: [SystemCoding]

    package init(worlds: [WorldName] = [], styles: [Style] = [], codings: [SystemCoding] = []) {
        self.worlds = worlds
        self.styles = styles
        self.codings = codings
    }
}

package enum WorldName: String, Hashable, Sendable, CaseIterable { case simulated, sockets }

/// How the caller learns of the result: the axis of SCENARIO-FORMAT 'Styles'.
package enum Style: String, Hashable, Sendable, CaseIterable { case delegate, completion, async }

/// One row of `cases:` (or the whole file), ready to run. Without `client` it can only be served.
package struct ScenarioCase: Hashable, Sendable {
    package var name: String?
    package var script: Script
    package var session: SessionOptions
    /// What goes wrong with the files of downloads.
    package var diskFaults: [DiskFault] = []
    /// The GSSAPI of the client's system; nil where it has none.
    package var gssapi: ScriptedGSSAPI?
    /// What the hosts' names resolve to, where that is not one address that answers.
    package var names: [ScriptedName] = []
    /// What the client's world undoes besides gzip and deflate: of the scenario's needs.
    package var codings: [SystemCoding] = []
    /// What lies between clients and hosts in the simulated world; nil for what is as good as nothing.
    package var link: ScriptedLink?
    /// What `file:` URLs can name.
    package var files: [LocalFile] = []
    package var client: [ClientStep]
    package var expect: Expectation
    /// How the simulated world departs from its plain order; nil where the scenario does not say.
    package var schedule: [ScheduleEntry]?
    /// What is done to the server's answers on their way, in the simulated world.
    package var bends: [Bend] = []
    /// What other clients are known to do otherwise.
    package var differences: [KnownDifference]
    package var mark: SourceMark

    package init(
        name: String? = nil, script: Script, session: SessionOptions = SessionOptions(), client: [ClientStep] = [],
        expect: Expectation = Expectation(), schedule: [ScheduleEntry]? = nil, differences: [KnownDifference] = [],
        mark: SourceMark
    ) {
        self.name = name
        self.script = script
        self.session = session
        self.client = client
        self.expect = expect
        self.schedule = schedule
        self.differences = differences
        self.mark = mark
    }
}

/// `session:`, named as in `URLSessionConfiguration`.
package struct SessionOptions: Hashable, Sendable {
    package var timeoutIntervalForRequest: Duration?
    package var timeoutIntervalForResource: Duration?
    package var httpMaximumConnectionsPerHost: Int?
    package var httpAdditionalHeaders: Fields
    /// What the session's protocol class answers; none without any.
    package var protocolRules: [ProtocolRule]
    /// `Upload-Draft-Interop-Version` of uploads that can be continued.
    package var resumableUploads: Int?
    /// The largest number stands for none.
    package var maximumBodyBytesInMemory: Int?
    /// How its delegate is written, where one is; said, there is one in every style.
    package var delegate: DelegateForm?
    package var tlsMinimum: TLSVersion?
    package var tlsMaximum: TLSVersion?
    package var requestCachePolicy: CachePolicyName?
    package var httpShouldUsePipelining = false
    /// The defaults of its storage.
    package var credentials: [StoredCredential] = []
    package var hasCredentialStorage = true
    package var proxy: SessionProxy?
    package var cookies = CookieOptions()
    /// The machine's network at first; nil where nothing is said of networks.
    package var network: NetworkKind?
    package var waitsForConnectivity = false
    /// Networks that its requests do not go out on.
    package var denies: [DeniedNetwork] = []
    /// Nil: it keeps no answers.
    package var cache: CacheOptions?
    /// Its storage keeps permanent ones in a file, which all sessions of the case have.
    package var hasCredentialFile = false

    package init(
        timeoutIntervalForRequest: Duration? = nil, timeoutIntervalForResource: Duration? = nil,
        httpMaximumConnectionsPerHost: Int? = nil, httpAdditionalHeaders: Fields = Fields(),
        protocolRules: [ProtocolRule] = [], resumableUploads: Int? = nil,
        maximumBodyBytesInMemory: Int? = nil, delegate: DelegateForm? = nil, tlsMinimum: TLSVersion? = nil,
        tlsMaximum: TLSVersion? = nil
    ) {
        self.tlsMinimum = tlsMinimum
        self.tlsMaximum = tlsMaximum
        self.delegate = delegate
        self.maximumBodyBytesInMemory = maximumBodyBytesInMemory
        self.resumableUploads = resumableUploads
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        self.httpAdditionalHeaders = httpAdditionalHeaders
        self.protocolRules = protocolRules
    }
}

/// A credential that a session has before its first task, as the default of its space.
package struct StoredCredential: Hashable, Sendable {
    package var credentials: BasicCredentials
    /// Nil for NTLM and Negotiate, which know none.
    package var realm: String?
    package var method: ChallengeMethod
    /// Nil: the first one.
    package var host: String?

    package init(_ credentials: BasicCredentials, realm: String?, method: ChallengeMethod, host: String?) {
        self.credentials = credentials
        self.realm = realm
        self.method = method
        self.host = host
    }
}
