import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

@Suite struct URLSessionConfigurationTests {
    @Test func `additional fields are sorted, merged and safe to send`() {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = [
            "b": "1", "A": 7, "B": "2", 3: "number", "evil\r\nname": "x", "Evil": "x\r\nInjected: y", "": "empty",
        ]
        let expected = Fields([.init("A", "7"), .init("B", "1")])
        #expect(configuration.clientSettings().additionalFields == expected)
    }

    // BEHAVIOUR 1.A2-connections
    @Test(arguments: [(6, 6), (1, 1), (0, 1), (-5, 1)])
    func `there is always room for one connection`(given: Int, used: Int) {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = given
        #expect(configuration.clientSettings().connectionsPerHost == used)
    }

    // BEHAVIOUR 2.F2-accept, 2.F2-encoding, 2.F20
    @Test func `default fields stand in Apple's order`() {
        let fields = URLSessionConfiguration.default.clientSettings().defaultFields.fields
        let names = fields.list.map(\.name).filter { $0 != "Accept-Language" }
        #expect(names == ["User-Agent", "Accept", "Accept-Encoding"])
        #expect(fields.first("Accept") == "*/*")
        #expect(fields.first("Accept-Encoding") == "gzip, deflate")
    }

    // BEHAVIOUR 2.F2-encoding, 2.F28-system
    @Test func `a session of sockets knows what the machine has libraries for, another what its world says`() {
        #expect(SessionWorld.sockets().codings == .ofThisMachine)
        #expect(URLSessionConfiguration.default.clientSettings().codings == [])
        let offers = [KnownCodings(), .brotli, .zstd, .all].map { $0.accepted(isSecure: true) }
        #expect(
            offers == ["gzip, deflate", "gzip, deflate, br", "gzip, deflate, zstd", "gzip, deflate, br, zstd"])
        #expect(KnownCodings.all.accepted(isSecure: false) == "gzip, deflate")
    }

    @Test func `downloads grow in the temporary directory`() {
        let directory = URLSessionConfiguration.default.clientSettings().downloadDirectory
        #expect(directory == FileManager.default.temporaryDirectory.path)
        #expect(directory.hasPrefix("/"))
    }

    // BEHAVIOUR 1.D1, 1.D2-fraction
    @Test func `an explicit request timeout wins, shorter or longer`() throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 10
        configuration.timeoutIntervalForResource = .infinity
        var request = URLRequest(url: try url("http://a/"))
        #expect(configuration.timeouts(for: request).request == .seconds(10))
        request.timeoutInterval = 60
        #expect(configuration.timeouts(for: request).request == .seconds(60))
        request.timeoutInterval = 0.25
        #expect(configuration.timeouts(for: request).request == .milliseconds(250))
        #expect(configuration.timeouts(for: request).resource == .nanoseconds(Int64.max))
    }

    // BEHAVIOUR 1.D1-zero
    @Test(arguments: [0, -1, -TimeInterval.infinity, .nan]) func `a timeout that is none counts as not set`(
        seconds: TimeInterval
    ) throws {
        let configuration = URLSessionConfiguration.default
        var request = URLRequest(url: try url("http://a/"))
        request.timeoutInterval = seconds
        configuration.timeoutIntervalForRequest = 10
        #expect(configuration.timeouts(for: request).request == .seconds(10))
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        #expect(configuration.timeouts(for: request).request == .seconds(60))
        #expect(configuration.timeouts(for: request).resource == .seconds(604_800))
    }

    // BEHAVIOUR 1.H1-copy
    @Test func `a copy of a configuration is another one`() throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 7
        let copy = try #require(configuration.copy() as? URLSessionConfiguration)
        #expect(copy !== configuration)
        #expect(copy.timeoutIntervalForRequest == 7)
        copy.timeoutIntervalForRequest = 8
        #expect(configuration.timeoutIntervalForRequest == 7)
    }

    // BEHAVIOUR 1.A2-service, 1.A2-mark
    @Test(
        arguments: [
            (NSURLRequest.NetworkServiceType.default, 0), (.voip, 40), (.video, 34), (.background, 1), (.voice, 46),
            (.responsiveData, 18), (.avStreaming, 26), (.responsiveAV, 32), (.networkServiceTypeCallSignaling, 40),
        ] as [(NSURLRequest.NetworkServiceType, UInt8)])
    func `a request's type of service goes before the session's`(
        type: NSURLRequest.NetworkServiceType, codePoint: UInt8
    ) throws {
        let configuration = URLSessionConfiguration.default
        var request = URLRequest(url: try url("http://a/"))
        request.networkServiceType = type
        #expect(configuration.codePoint(for: request) == codePoint)
        configuration.networkServiceType = .voice
        #expect(configuration.codePoint(for: request) == (type == .default ? 46 : codePoint))
        #expect(configuration.codePoint(for: nil) == 46)
    }

    // BEHAVIOUR 1.A2-multipath
    @Test(arguments: [
        (URLSessionConfiguration.MultipathServiceType.none, false), (.handover, true), (.interactive, true),
        (.aggregate, true),
    ])
    func `each kind of multipath means the same`(kind: URLSessionConfiguration.MultipathServiceType, isUsed: Bool) {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.multipathServiceType == .none)
        configuration.multipathServiceType = kind
        #expect(configuration.clientSettings().usesMultipath == isUsed)
    }

    // BEHAVIOUR 1.A2-kept, 2.F7
    @Test func `what has no effect changes nothing that the session does`() throws {
        let configuration = URLSessionConfiguration.default
        let before = configuration.clientSettings()
        try changeKept(configuration)
        #expect(configuration.clientSettings() == before)
        #expect(configuration.codePoint(for: nil) == 0)
    }

    // BEHAVIOUR 1.A2-kept, 1.A2-copy
    @Test func `what has no effect is kept, and copied`() throws {
        let configuration = URLSessionConfiguration.ephemeral
        #expect(configuration.allowsExpensiveNetworkAccess && configuration.allowsConstrainedNetworkAccess)
        #expect(configuration.sessionSendsLaunchEvents && configuration.usesClassicLoadingMode)
        #expect(!configuration.enablesEarlyData)
        let earlier = try #require(configuration.copy() as? URLSessionConfiguration)
        try changeKept(configuration)
        let later = try #require(configuration.copy() as? URLSessionConfiguration)
        for (copy, isChanged) in [(earlier, false), (later, true)] {
            #expect(copy.allowsCellularAccess != isChanged && copy.allowsExpensiveNetworkAccess != isChanged)
            #expect(copy.allowsConstrainedNetworkAccess != isChanged && copy.isDiscretionary == isChanged)
            #expect(copy.sessionSendsLaunchEvents != isChanged && copy.httpShouldUsePipelining == isChanged)
            #expect(copy.sharedContainerIdentifier == (isChanged ? "group.test" : nil))
            #expect(copy.shouldUseExtendedBackgroundIdleMode == isChanged)
            #expect(copy.usesClassicLoadingMode != isChanged && copy.enablesEarlyData == isChanged)
        }
    }

    private func changeKept(_ configuration: URLSessionConfiguration) throws {
        configuration.allowsCellularAccess = false
        configuration.allowsExpensiveNetworkAccess = false
        configuration.allowsConstrainedNetworkAccess = false
        configuration.isDiscretionary = true
        configuration.sessionSendsLaunchEvents = false
        configuration.sharedContainerIdentifier = "group.test"
        configuration.shouldUseExtendedBackgroundIdleMode = true
        configuration.httpShouldUsePipelining = true
        configuration.usesClassicLoadingMode = false
        configuration.enablesEarlyData = true
    }

    // BEHAVIOUR 2.F2-language
    @Test(
        arguments: [
            (["en-US"], "en-US,en;q=0.9"), (["de"], "de"), (["fr_FR", "en"], "fr-FR,fr;q=0.9,en;q=0.8"),
            (["en-US", "en-GB"], "en-US,en;q=0.9,en-GB;q=0.8"), ([], nil), (["", "a b", "x;q=1"], nil),
            (
                (0..<20).map { "l\($0)" },
                "l0,l1;q=0.9,l2;q=0.8,l3;q=0.7,l4;q=0.6,l5;q=0.5,l6;q=0.4,l7;q=0.3,l8;q=0.2,l9;q=0.1"
            ),
        ] as [([String], String?)])
    func `languages become weights`(languages: [String], value: String?) {
        #expect(DefaultFields.acceptLanguage(languages) == value)
    }

    // BEHAVIOUR 2.F2-user-agent, 2.F20
    @Test(arguments: [
        ("tool", "tool (unknown version) Understudy/\(LibraryVersion.text)"),
        ("my tool/é", "my%20tool%2F%C3%A9 (unknown version) Understudy/\(LibraryVersion.text)"),
        ("", "unknown (unknown version) Understudy/\(LibraryVersion.text)"),
        ("50%\r\n", "50%25%0D%0A (unknown version) Understudy/\(LibraryVersion.text)"),
    ])
    func `the program names itself`(process: String, value: String) {
        #expect(DefaultFields.userAgent(process) == value)
    }
}
