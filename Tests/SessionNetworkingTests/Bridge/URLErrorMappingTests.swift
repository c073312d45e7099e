import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import Testing

@testable import SessionNetworking

@Suite struct URLErrorMappingTests {
    // BEHAVIOUR 1.A6, 1.A6-keys
    @Test(
        arguments: [
            (.unknown, -1), (.cancelled, -999), (.badURL, -1000), (.timedOut, -1001), (.unsupportedURL, -1002),
            (.cannotFindHost, -1003), (.cannotConnectToHost, -1004), (.networkConnectionLost, -1005),
            (.httpTooManyRedirects, -1007), (.notConnectedToInternet, -1009), (.redirectToNonExistentLocation, -1010),
            (.cannotDecodeRawData, -1015), (.cannotDecodeContentData, -1016), (.cannotParseResponse, -1017),
            (.requestBodyStreamExhausted, -1021), (.dataLengthExceedsMaximum, -1103), (.cannotCreateFile, -3000),
            (.cannotOpenFile, -3001), (.cannotCloseFile, -3002), (.cannotWriteToFile, -3003), (.cannotMoveFile, -3005),
            (.downloadDecodingFailedMidStream, -3006), (.downloadDecodingFailedToComplete, -3007),
        ] as [(Failure.Kind, Int)])
    func `a failure has Apple's number and a sentence`(kind: Failure.Kind, number: Int) throws {
        let failure = Failure(kind, .peer, "detail", url: URLReference("http://h/a"))
        let error = URLErrorMapping.error(for: failure)
        #expect(error.errorCode == number)
        #expect((error as NSError).domain == NSURLErrorDomain)
        #expect(error.localizedDescription.hasSuffix("."))
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
            path: "/tmp/understudy-download-1.tmp", total: -1)
        let error = URLErrorMapping.error(for: Failure(.networkConnectionLost, .peer, "", resume: token))
        let data = try #require(error.downloadTaskResumeData)
        #expect(error.userInfo["NSURLSessionDownloadTaskResumeData"] as? Data == data)
        #expect(ResumeDataCoding.decode(data) == token)
    }
}
