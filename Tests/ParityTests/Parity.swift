// One text, two modules: what compiles and holds here holds with `import SessionNetworking` in place of
// `import FoundationNetworking`. Where the two differ, Foundation's side is a known defect and stands under
// `#if PARITY_FOUNDATION` with its row in Documentation/BEHAVIOUR.md.
import Foundation
import Testing

#if PARITY_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

// MARK: - Requests

@Suite("Requests")
struct RequestParity {
    @Test func `a new request is a GET with a timeout of 60 seconds`() throws {
        let request = URLRequest(url: try url("http://example.org/a"))
        #expect(request.httpMethod == "GET")
        #expect(request.timeoutInterval == 60)
        #expect(request.cachePolicy == .useProtocolCachePolicy)
        #expect(request.networkServiceType == .default)
        #expect(request.allHTTPHeaderFields == nil)
        #expect(request.httpBody == nil)
        #expect(request.httpBodyStream == nil)
        #expect(request.mainDocumentURL == nil)
        #expect(request.allowsCellularAccess)
        #expect(request.httpShouldHandleCookies)
    }

    @Test func `a copy does not see changes of the original`() throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.setValue("1", forHTTPHeaderField: "X-One")
        let copy = request
        request.setValue("2", forHTTPHeaderField: "X-One")
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        #expect(copy.value(forHTTPHeaderField: "X-One") == "1")
        #expect(copy.httpMethod == "GET")
        #expect(copy.httpBody == nil)
        #expect(copy != request)
    }

    @Test func `header fields are found, replaced, joined and removed whatever their case`() throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.setValue("a", forHTTPHeaderField: "content-type")
        request.addValue("b", forHTTPHeaderField: "Content-Type")
        #expect(request.value(forHTTPHeaderField: "CONTENT-TYPE") == "a,b")
        #expect(request.allHTTPHeaderFields == ["Content-Type": "a,b"])
        request.setValue(nil, forHTTPHeaderField: "cOnTeNt-TyPe")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
        request.allHTTPHeaderFields = ["X-Two": "2"]
        #expect(request.allHTTPHeaderFields == ["X-Two": "2"])
        request.allHTTPHeaderFields = nil
        #expect(request.allHTTPHeaderFields == nil)
    }

    @Test func `unknown field names keep the caller's case`() throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.setValue("1", forHTTPHeaderField: "SOAPAction")
        #if PARITY_FOUNDATION
        #expect(request.allHTTPHeaderFields == ["Soapaction": "1"])
        #else
        #expect(request.allHTTPHeaderFields == ["SOAPAction": "1"])
        #endif
    }

    @Test func `a method is kept as given and nil means GET`() throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.httpMethod = "PATCH"
        #expect(request.httpMethod == "PATCH")
        request.httpMethod = nil
        #expect(request.httpMethod == "GET")
        request.httpMethod = "post"
        #if PARITY_FOUNDATION
        #expect(request.httpMethod == "POST")  // BEHAVIOUR 2.F19
        #else
        #expect(request.httpMethod == "post")
        #endif
    }

    @Test func `body and body stream replace each other`() throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.httpBody = Data([1])
        request.httpBodyStream = InputStream(data: Data([2]))
        #expect(request.httpBody == nil)
        request.httpBody = Data([3])
        #expect(request.httpBodyStream == nil)
        #expect(request.httpBody == Data([3]))
    }

    @Test func `requests are equal by value and print their URL`() throws {
        let one = URLRequest(url: try url("http://example.org/a"))
        var other = URLRequest(url: try url("http://example.org/a"))
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(Set([one, other]).count == 1)
        other.timeoutInterval = 5
        #expect(one != other)
        #expect(one.description == "http://example.org/a")
        #expect(one.debugDescription == "http://example.org/a")
    }

    @Test func `requests bridge to objects and back`() throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.httpMethod = "PUT"
        let object = request as NSURLRequest
        #expect(object.httpMethod == "PUT")
        #expect((object as URLRequest) == request)
        #expect((object as Any) as? URLRequest == request)
        #expect(((request as Any) as? NSURLRequest)?.url == request.url)
        #expect(([request] as NSArray) as? [URLRequest] == [request])
    }

    @Test func `a mutable object changes alone`() throws {
        let object = NSURLRequest(url: try url("http://example.org/a"))
        let mutable = try #require(object.mutableCopy() as? NSMutableURLRequest)
        #expect(mutable.isEqual(object))
        #expect(mutable.hash == object.hash)
        mutable.httpMethod = "DELETE"
        mutable.url = try url("http://example.org/b")
        mutable.timeoutInterval = 3
        mutable.setValue("1", forHTTPHeaderField: "X-One")
        mutable.addValue("2", forHTTPHeaderField: "X-One")
        mutable.httpBody = Data([1])
        #expect(object.httpMethod == "GET")
        #expect(object.url == URL(string: "http://example.org/a"))
        #expect(!mutable.isEqual(object))
        let snapshot = mutable as URLRequest
        mutable.httpMethod = "PUT"
        #expect(snapshot.httpMethod == "DELETE")
        #expect(snapshot.timeoutInterval == 3)
        #expect(snapshot.value(forHTTPHeaderField: "x-one") == "1,2")
        #expect((mutable.copy() as? NSURLRequest)?.httpMethod == "PUT")
    }

    #if !PARITY_FOUNDATION
    // Foundation's own unarchiver stops the process here: "Value was of unexpected class NSURL".
    @Test func `a request survives an archive`() throws {
        let object = NSMutableURLRequest(url: try url("http://example.org/a?b=c"))
        object.httpMethod = "POST"
        object.httpBody = Data("x".utf8)
        object.setValue("1", forHTTPHeaderField: "X-One")
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSMutableURLRequest.self, from: data)
        #expect(read?.isEqual(object) == true)
    }
    #endif

    @Test func `existing subclasses compile and are called`() throws {
        let request = SecretRequest(url: try url("http://example.org/a"))
        #expect(request.httpMethod == "SECRET")
        #expect((request as NSURLRequest).value(forHTTPHeaderField: "any") == "secret")
        let mutable = LoudRequest(url: try url("http://example.org/a"))
        mutable.setValue("quiet", forHTTPHeaderField: "X-Voice")
        #expect(mutable.value(forHTTPHeaderField: "X-Voice") == "QUIET")
    }
}

private final class SecretRequest: NSURLRequest {
    override var httpMethod: String? { "SECRET" }
    override func value(forHTTPHeaderField field: String) -> String? { "secret" }
}

private final class LoudRequest: NSMutableURLRequest {
    override func setValue(_ value: String?, forHTTPHeaderField field: String) {
        super.setValue(value?.uppercased(), forHTTPHeaderField: field)
    }
}

// MARK: - Responses

@Suite("Responses")
struct ResponseParity {
    private func response(_ fields: [String: String]?, status: Int = 200) throws -> HTTPURLResponse {
        let url = try url("http://example.org/dir/file.html")
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    @Test func `a response keeps what its maker said`() throws {
        let response = URLResponse(
            url: try url("http://example.org/a.txt"), mimeType: "text/plain", expectedContentLength: 7,
            textEncodingName: "utf-8")
        #expect(response.url == URL(string: "http://example.org/a.txt"))
        #expect(response.mimeType == "text/plain")
        #expect(response.expectedContentLength == 7)
        #expect(response.textEncodingName == "utf-8")
        #expect(response.suggestedFilename == "a.txt")
    }

    @Test func `field names are canonical in the dictionary, except X names`() throws {
        let response = try response(["content-type": "a/b", "ETAG": "1", "x-fOO": "2", "www-authenticate": "Basic"])
        let keys = response.allHeaderFields.keys.compactMap { $0.base as? String }.sorted()
        #expect(keys == ["Content-Type", "Etag", "WWW-Authenticate", "x-fOO"])
        #expect(response.value(forHTTPHeaderField: "eTag") == "1")
        #expect(response.value(forHTTPHeaderField: "X-Foo") == "2")
        #expect(response.value(forHTTPHeaderField: "missing") == nil)
    }

    @Test func `type and encoding come from Content-Type`() throws {
        let response = try response(["Content-Type": "Text/HTML; charset=\"UTF-8\""])
        #expect(response.mimeType == "text/html")
        #expect(response.textEncodingName == "utf-8")
        #expect(try self.response(nil).mimeType == nil)
        #expect(try self.response(["Content-Type": "a/b"]).textEncodingName == nil)
    }

    @Test(arguments: [("12", Int64(12)), ("abc", -1), ("99999999999999999999", -1), (nil, -1)])
    func `the expected length comes from Content-Length`(value: String?, expected: Int64) throws {
        #expect(try response(value.map { ["Content-Length": $0] }).expectedContentLength == expected)
    }

    @Test func `a response that its maker calls encoded still has the given length`() throws {
        let response = try response(["Content-Length": "12", "Content-Encoding": "gzip"])
        #expect(response.expectedContentLength == 12)  // BEHAVIOUR 2.F26
    }

    @Test func `a negative length is no length`() throws {
        #if PARITY_FOUNDATION
        #expect(try response(["Content-Length": "-4"]).expectedContentLength == -4)
        #else
        #expect(try response(["Content-Length": "-4"]).expectedContentLength == -1)
        #endif
    }

    @Test(arguments: [
        ("attachment; filename=fname.ext", "fname.ext"), ("attachment; filename=\"a;b.txt\"; x=1", "a;b.txt"),
        ("attachment; filename=\"/a/b/name\"", "_a_b_name"), ("attachment; filename=\"a/../b/name\"", "a_.._b_name"),
    ])
    func `Content-Disposition names the file`(disposition: String, name: String) throws {
        #expect(try response(["Content-Disposition": disposition]).suggestedFilename == name)
    }

    @Test func `without Content-Disposition the URL names the file`() throws {
        #if PARITY_FOUNDATION
        #expect(try response(nil).suggestedFilename == "Unknown")  // BEHAVIOUR 2.F32
        #else
        #expect(try response(nil).suggestedFilename == "file.html")
        #endif
    }

    @Test(arguments: [
        (100, "Continue"), (200, "OK"), (206, "Partial Content"), (301, "Moved Permanently"), (404, "Not Found"),
        (429, "Too Many Requests"), (500, "Internal Server Error"), (299, "Success"), (399, "Redirection"),
        (499, "Client Error"), (599, "Server Error"),
    ])
    func `a status has a phrase`(status: Int, phrase: String) {
        #expect(HTTPURLResponse.localizedString(forStatusCode: status) == phrase)
    }

    @Test func `responses are equal by value and copies are the same`() throws {
        let one = try response(["A": "1"])
        #expect(one.isEqual(try response(["A": "1"])))
        #expect(one.hash == (try response(["A": "1"])).hash)
        #expect((one.copy() as? HTTPURLResponse)?.isEqual(one) == true)
        #if PARITY_FOUNDATION
        #expect(one.isEqual(try response(["A": "1"], status: 404)))
        #else
        #expect(!one.isEqual(try response(["A": "1"], status: 404)))
        #expect(!one.isEqual(try response(["A": "2"])))
        #endif
    }

    @Test func `existing subclasses compile and are called`() throws {
        let response: URLResponse = BigResponse(
            url: try url("http://example.org/"), mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
        #expect(response.expectedContentLength == 1 << 40)
        let teapot: HTTPURLResponse = TeapotResponse(try url("http://example.org/"))
        #expect(teapot.statusCode == 418)
        #expect(teapot.description == "teapot")
    }
}

private final class BigResponse: URLResponse, @unchecked Sendable {
    override var expectedContentLength: Int64 { 1 << 40 }
}

private final class TeapotResponse: HTTPURLResponse, @unchecked Sendable {
    init(_ url: URL) {
        // The initialiser never fails, in neither module.
        super.init(url: url, statusCode: 418, httpVersion: nil, headerFields: nil)!  // swift-format-ignore
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    override var description: String { "teapot" }
}

// MARK: - Authentication

@Suite("Authentication values")
struct AuthenticationParity {
    private let space = URLProtectionSpace(
        host: "example.org", port: 80, protocol: "http", realm: "r",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)

    @Test func `a space of a server says what its maker said`() {
        #expect(space.host == "example.org")
        #expect(space.port == 80)
        #expect(space.protocol == "http")
        #expect(space.realm == "r")
        #expect(space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
        #expect(space.proxyType == nil)
        #expect(!space.isProxy())
        #expect(!space.receivesCredentialSecurely)
    }

    @Test func `a space without a method has the default method`() {
        let space = URLProtectionSpace(
            host: "example.org", port: 443, protocol: NSURLProtectionSpaceHTTPS, realm: nil, authenticationMethod: nil)
        #expect(space.authenticationMethod == NSURLAuthenticationMethodDefault)
        #expect(space.receivesCredentialSecurely)
    }

    @Test func `a space of a proxy has a type and no protocol`() {
        let space = URLProtectionSpace(
            proxyHost: "proxy", port: 8080, type: NSURLProtectionSpaceHTTPProxy, realm: nil, authenticationMethod: nil)
        #expect(space.isProxy())
        #expect(space.protocol == nil)
        #expect(space.proxyType == NSURLProtectionSpaceHTTPProxy)
    }

    @Test func `spaces are equal by value`() {
        let same = URLProtectionSpace(
            host: "example.org", port: 80, protocol: "http", realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        #if PARITY_FOUNDATION
        #expect(space != same)  // BEHAVIOUR 2.A17
        #else
        #expect(space == same)
        #expect(space.hash == same.hash)
        #endif
    }

    @Test func `a method that hides the password is secure over http too`() {
        let digest = URLProtectionSpace(
            host: "h", port: 80, protocol: "http", realm: nil, authenticationMethod: NSURLAuthenticationMethodHTTPDigest)
        #if PARITY_FOUNDATION
        #expect(!digest.receivesCredentialSecurely)  // BEHAVIOUR 2.A16
        #else
        #expect(digest.receivesCredentialSecurely)
        #endif
    }

    @Test func `credentials are equal by value`() {
        let one = URLCredential(user: "u", password: "p", persistence: .forSession)
        #expect(one.user == "u")
        #expect(one.password == "p")
        #expect(one.persistence == .forSession)
        #expect(one.hasPassword)
        #expect(one.isEqual(URLCredential(user: "u", password: "p", persistence: .forSession)))
        #expect(!one.isEqual(URLCredential(user: "u", password: "q", persistence: .forSession)))
        #expect((one.copy() as? URLCredential)?.isEqual(one) == true)
    }

    @Test func `a challenge says what its maker said, and can get another sender`() {
        let sender = CountingSender()
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 2, failureResponse: nil,
            error: URLError(.timedOut), sender: sender)
        #expect(challenge.protectionSpace === space)
        #expect(challenge.previousFailureCount == 2)
        #expect((challenge.error as? URLError)?.code == .timedOut)
        #expect(challenge.sender === sender)
        let other = CountingSender()
        let wrapped = URLAuthenticationChallenge(authenticationChallenge: challenge, sender: other)
        #expect(wrapped.sender === other)
        #expect(wrapped.previousFailureCount == 2)
        #expect(PatientChallenge(authenticationChallenge: challenge, sender: sender).previousFailureCount == 0)
    }

    @Test func `constants have Apple's values`() {
        #expect(NSURLAuthenticationMethodHTTPBasic == "NSURLAuthenticationMethodHTTPBasic")
        #expect(NSURLAuthenticationMethodHTMLForm == "NSURLAuthenticationMethodHTMLForm")
        #expect(NSURLAuthenticationMethodNTLM == "NSURLAuthenticationMethodNTLM")
        #expect(NSURLAuthenticationMethodNegotiate == "NSURLAuthenticationMethodNegotiate")
        #expect(NSURLProtectionSpaceHTTP == "NSURLProtectionSpaceHTTP")
        #expect(NSURLProtectionSpaceHTTPSProxy == "NSURLProtectionSpaceHTTPSProxy")
        #expect(NSURLProtectionSpaceSOCKSProxy == "NSURLProtectionSpaceSOCKSProxy")
        #expect(URLSessionDownloadTaskResumeData == "NSURLSessionDownloadTaskResumeData")
        #expect(NSURLSessionTransferSizeUnknown == -1)
        #expect(URLCredential.Persistence(rawValue: 2) == .permanent)
    }
}

private final class CountingSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

private final class PatientChallenge: URLAuthenticationChallenge, @unchecked Sendable {
    override var previousFailureCount: Int { 0 }
}

// MARK: - Configuration

@Suite("Configuration")
struct ConfigurationParity {
    @Test func `defaults`() {
        for configuration in [URLSessionConfiguration.default, .ephemeral] {
            #expect(configuration.timeoutIntervalForRequest == 60)
            #expect(configuration.timeoutIntervalForResource == 604_800)
            #expect(configuration.httpMaximumConnectionsPerHost == 6)
            #expect(configuration.httpAdditionalHeaders == nil)
            #expect(configuration.identifier == nil)
        }
        #expect(URLSessionConfiguration.default !== URLSessionConfiguration.default)
    }

    @Test func `a copy changes alone`() throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        let copy = try #require(configuration.copy() as? URLSessionConfiguration)
        copy.timeoutIntervalForRequest = 0.5
        copy.httpMaximumConnectionsPerHost = 1
        #expect(configuration.timeoutIntervalForRequest == 60)
        #expect(configuration.httpMaximumConnectionsPerHost == 6)
        #expect(copy.timeoutIntervalForRequest == 0.5)
        #expect(copy.httpAdditionalHeaders as? [String: String] == ["X-One": "1"])
    }
}
