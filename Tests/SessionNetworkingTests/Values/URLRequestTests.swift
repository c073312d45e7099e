import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

@Suite struct URLRequestTests {
    // BEHAVIOUR 1.D1
    @Test(arguments: [(nil, nil), (60.0, nil), (0.5, 0.5), (90, 90)] as [(TimeInterval?, TimeInterval?)])
    func `a timeout given to the initialiser is explicit unless it is the default`(
        given: TimeInterval?, explicit: TimeInterval?
    ) throws {
        let location = try url("http://a/")
        let request = given.map { URLRequest(url: location, timeoutInterval: $0) } ?? URLRequest(url: location)
        #expect(request.explicitTimeout == explicit)
        #expect(request.timeoutInterval == explicit ?? 60)
    }

    @Test func `a timeout that was set is explicit even when it is the default`() throws {
        var request = URLRequest(url: try url("http://a/"))
        request.timeoutInterval = 60
        #expect(request.explicitTimeout == 60)
        #expect((request as NSURLRequest as URLRequest).explicitTimeout == 60)
    }

    @Test func `a request is one reference`() {
        #expect(MemoryLayout<URLRequest>.size == MemoryLayout<UnsafeRawPointer>.size)
    }

    @Test func `fields keep the order in which they were set`() throws {
        var request = URLRequest(url: try url("http://a/"))
        request.setValue("1", forHTTPHeaderField: "Z")
        request.setValue("2", forHTTPHeaderField: "a")
        request.setValue("3", forHTTPHeaderField: "z")
        #expect(request.fields == Fields([.init("Z", "3"), .init("a", "2")]))
        request.allHTTPHeaderFields = ["b": "1", "B": "2", "a": "3", "content-length": "4"]
        #expect(request.fields == Fields([.init("B", "1"), .init("a", "3"), .init("Content-Length", "4")]))
    }

    // BEHAVIOUR 1.A5-access
    @Test func `what Linux cannot heed is kept in objects, copies and archives`() throws {
        let object = NSMutableURLRequest(url: try url("http://a/"))
        let plain = try #require(object.copy() as? NSURLRequest)
        #expect(plain.allowsExpensiveNetworkAccess && plain.allowsConstrainedNetworkAccess)
        #expect(!plain.assumesHTTP3Capable && !plain.allowsPersistentDNS && plain.attribution == .developer)
        object.allowsExpensiveNetworkAccess = false
        object.allowsConstrainedNetworkAccess = false
        object.assumesHTTP3Capable = true
        object.allowsPersistentDNS = true
        object.attribution = .user
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSURLRequest.self, from: try archive(object.copy() as? NSURLRequest ?? plain))
        let request = try #require(read) as URLRequest
        #expect(!request.allowsExpensiveNetworkAccess && !request.allowsConstrainedNetworkAccess)
        #expect(request.assumesHTTP3Capable && request.allowsPersistentDNS && request.attribution == .user)
        #expect(request == object as URLRequest && request != plain as URLRequest)
    }

    @Test func `the order of fields makes no difference to equality`() throws {
        var one = URLRequest(url: try url("http://a/")), other = one
        one.setValue("1", forHTTPHeaderField: "A")
        one.setValue("2", forHTTPHeaderField: "B")
        other.setValue("2", forHTTPHeaderField: "B")
        other.setValue("1", forHTTPHeaderField: "A")
        #expect(one == other)
        other.setValue("3", forHTTPHeaderField: "A")
        #expect(one != other)
    }

    @Test func `an archive holds everything but the stream`() throws {
        var request = URLRequest(url: try url("http://a/b?c=d"), cachePolicy: .returnCacheDataDontLoad)
        request.timeoutInterval = 3
        request.mainDocumentURL = try url("http://main/")
        request.networkServiceType = .networkServiceTypeCallSignaling
        request.allowsCellularAccess = false
        request.httpShouldHandleCookies = false
        request.httpShouldUsePipelining = false
        request.httpMethod = "PUT"
        request.setValue("ü", forHTTPHeaderField: "X")
        request.httpBody = Data([0, 255])
        let data = try archive(request as NSURLRequest)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURLRequest.self, from: data))
        #expect(read as URLRequest == request)
        #expect((read as URLRequest).explicitTimeout == 3)

        request.httpBodyStream = InputStream(data: Data([1]))
        let other = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSURLRequest.self, from: try archive(request as NSURLRequest))
        #expect(other?.httpBodyStream == nil)
        #expect(other?.httpMethod == "PUT")
    }

    @Test func `a coder that holds something else gives no request`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(NSData(data: Data("not a list".utf8)), forKey: "request")
        let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(NSURLRequest(coder: coder) == nil)
        #expect(URLResponse(coder: coder) == nil)
        #expect(HTTPURLResponse(coder: coder) == nil)
        #expect(URLCredential(coder: coder) == nil)
    }

    @Test func `a request without a URL prints so and survives bridging`() throws {
        var request = URLRequest(url: try url("http://a/"))
        request.url = nil
        #expect(request.description == "url: nil")
        #expect((request as NSURLRequest as URLRequest) == request)
        #expect((request as NSURLRequest).description.contains("URL: (null)"))
    }
}

func archive(_ object: NSObject) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
}
