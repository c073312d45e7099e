import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import TLSBasics
import TestCertificates
import Testing

@testable import SessionNetworking

@Suite struct URLErrorMappingTests {
    // BEHAVIOUR 1.A6, 1.A6-keys, 1.A6-text
    @Test(
        arguments: [
            (.unknown, -1, "unknown error"),
            (.cancelled, -999, "cancelled"),
            (.badURL, -1000, "bad URL"),
            (.timedOut, -1001, "The request timed out."),
            (.unsupportedURL, -1002, "unsupported URL"),
            (.cannotFindHost, -1003, "A server with the specified hostname could not be found."),
            (.cannotConnectToHost, -1004, "Could not connect to the server."),
            (.networkConnectionLost, -1005, "The network connection was lost."),
            (.httpTooManyRedirects, -1007, "too many HTTP redirects"),
            (.notConnectedToInternet, -1009, "The Internet connection appears to be offline."),
            (.redirectToNonExistentLocation, -1010, "redirected to nowhere"),
            (.cannotDecodeRawData, -1015, "cannot decode raw data"),
            (.cannotDecodeContentData, -1016, "cannot decode content data"),
            (.cannotParseResponse, -1017, "cannot parse response"),
            (.requestBodyStreamExhausted, -1021, "request body stream exhausted"),
            (.fileDoesNotExist, -1100, "The requested URL was not found on this server."),
            (.fileIsDirectory, -1101, "file is directory"),
            (.noPermissionsToReadFile, -1102, "You do not have permission to access the requested resource."),
            (.dataLengthExceedsMaximum, -1103, "resource exceeds maximum size"),
            (.cannotCreateFile, -3000, "cannot create file"),
            (.cannotOpenFile, -3001, "cannot open file"),
            (.cannotCloseFile, -3002, "cannot close file"),
            (.cannotWriteToFile, -3003, "cannot write to file"),
            (.cannotMoveFile, -3005, "cannot move file"),
            (.downloadDecodingFailedMidStream, -3006, "download decoding failed mid stream"),
            (.downloadDecodingFailedToComplete, -3007, "download decoding failed to complete"),
        ] as [(Failure.Kind, Int, String)])
    func `a failure has Apple's number and Foundation's text, and keeps our own words beside it`(
        kind: Failure.Kind, number: Int, text: String
    ) throws {
        let failure = Failure(kind, .peer, "What happened where.", url: URLReference("http://h/a"))
        let error = URLErrorMapping.error(for: failure)
        #expect(error.errorCode == number)
        #expect((error as NSError).domain == NSURLErrorDomain)
        #expect(error.localizedDescription == text)
        #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == text)
        #expect(error.userInfo[NSDebugDescriptionErrorKey] as? String == "What happened where.")
        #expect(String(describing: error).contains("What happened where."))
        #expect(error.failingURL == URL(string: "http://h/a"))
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == "http://h/a")
        #expect(error.downloadTaskResumeData == nil)
    }

    // BEHAVIOUR 1.A6-keys, 2.A20
    @Test func `no password gets into an error`() throws {
        let failure = Failure(.timedOut, .peer, "", url: URLReference("http://amy:s3cret@h/a"))
        let error = URLErrorMapping.error(for: failure)
        #expect(!"\(error) \(error.userInfo)".contains("s3cret"))
        let own = URLErrorMapping.error(
            for: Failure(.badURL, .peer, ""), request: URLRequest(url: try url("http://amy:s3cret@h/a")))
        #expect(!"\(own) \(own.userInfo)".contains("s3cret"))
        #expect(own.failingURL == URL(string: "http://h/a"))
    }

    // BEHAVIOUR 1.A6-keys
    @Test func `the request names the URL when the failure does not`() throws {
        let request = URLRequest(url: try url("http://h/b"))
        let error = URLErrorMapping.error(for: Failure(.cancelled, .peer, ""), request: request)
        #expect(error.failingURL == URL(string: "http://h/b"))
        #expect(URLErrorMapping.error(for: Failure(.cancelled, .peer, "")).failingURL == nil)
    }

    // BEHAVIOUR 1.A6-resume
    @Test func `a download that can be continued says how`() throws {
        let token = ResumeToken(
            url: try #require(URLReference("http://h/a")), fields: Fields(), offset: 5, validator: "\"e\"",
            path: "/tmp/understudy-download-1.tmp", total: nil)
        let error = URLErrorMapping.error(for: Failure(.networkConnectionLost, .peer, "", resume: token))
        let data = try #require(error.downloadTaskResumeData)
        #expect(error.userInfo["NSURLSessionDownloadTaskResumeData"] as? Data == data)
        #expect(ResumeDataCoding.decode(data) == token)
    }

    // BEHAVIOUR 2.E11-codes
    @Test func `a failure of the proxy's TLS names the proxy`() throws {
        let proxy = Origin(scheme: "https", host: "p.test", port: 8443)
        func error(_ proxy: Origin?) -> URLError {
            let security = SecureFailure(
                TLSFailure(.untrusted, .notRequested, ""), problem: TrustProblem(.expired, "It has expired."),
                peer: PeerCertificates(chain: TestCertificates.authority), proxy: proxy)
            return URLErrorMapping.error(
                for: Failure(
                    security.kind, .peer, security.detail, url: URLReference("https://h/a"), security: security))
        }
        let named = error(proxy)
        #expect(named.code == .serverCertificateUntrusted)
        #expect(named.userInfo[kCFProxyHostNameKey as String] as? String == "p.test")
        #expect(named.userInfo[kCFProxyPortNumberKey as String] as? Int == 8443)
        #expect(
            named.userInfo[NSLocalizedFailureReasonErrorKey] as? String
                == "TLS to the proxy p.test:8443: It has expired.")
        #expect((named.userInfo["NSErrorPeerCertificateChainKey"] as? [SecCertificate])?.isEmpty == false)
        #expect(named.failingURL == URL(string: "https://h/a"))
        #expect(error(nil).userInfo[kCFProxyHostNameKey as String] == nil)
        #expect(error(nil).userInfo[NSLocalizedFailureReasonErrorKey] as? String == "It has expired.")
    }
}
