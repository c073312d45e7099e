import Foundation
import Testing

#if PARITY_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

@Suite("Requests")
struct RequestParity {
    // BEHAVIOUR 1.A5-defaults
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

    // BEHAVIOUR 2.F16
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

    // BEHAVIOUR 2.F18
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
        other.cachePolicy = .returnCacheDataElseLoad
        #expect(one != other)
        #expect(one.description == "http://example.org/a")
        #expect(one.debugDescription == "http://example.org/a")
    }

    @Test func `requests with other timeouts differ`() throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        let before = request
        request.timeoutInterval = 5
        #if PARITY_FOUNDATION
        #expect(request == before)
        #else
        #expect(request != before)
        #endif
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
