import Foundation
import Testing

#if PARITY_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

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

    // BEHAVIOUR 2.A15-text
    @Test func `a space prints all that it says`() {
        func text(of space: URLProtectionSpace) -> String {
            space.description.replacing("\(Unmanaged.passUnretained(space).toOpaque())", with: "here")
        }
        #expect(
            text(of: space)
                == "<URLProtectionSpace here>: Host:example.org, Server:http, "
                + "Auth-Scheme:NSURLAuthenticationMethodHTTPBasic, Realm:r, Port:80, Proxy:NO, Proxy-Type:(null)")
        let bare = URLProtectionSpace(host: "h", port: 1, protocol: nil, realm: nil, authenticationMethod: "odd")
        #expect(
            text(of: bare)
                == "<URLProtectionSpace here>: Host:h, Server:(null), Auth-Scheme:NSURLAuthenticationMethodDefault, "
                + "Realm:(null), Port:1, Proxy:NO, Proxy-Type:(null)")
        let proxy = URLProtectionSpace(
            proxyHost: "p", port: 8080, type: NSURLProtectionSpaceHTTPProxy, realm: "",
            authenticationMethod: NSURLAuthenticationMethodHTTPDigest)
        #expect(
            text(of: proxy)
                == "<URLProtectionSpace here>: Host:p, Server:(null), "
                + "Auth-Scheme:NSURLAuthenticationMethodHTTPDigest, Realm:, Port:8080, Proxy:YES, "
                + "Proxy-Type:NSURLProtectionSpaceHTTPProxy, ")
    }

    @Test func `a method that hides the password is secure over http too`() {
        let digest = URLProtectionSpace(
            host: "h", port: 80, protocol: "http", realm: nil, authenticationMethod: NSURLAuthenticationMethodHTTPDigest
        )
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
