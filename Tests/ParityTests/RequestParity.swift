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
    }

    // BEHAVIOUR 2.F19
    @Test(arguments: [
        ("get", "GET"), ("Head", "HEAD"), ("pOST", "POST"), ("put", "PUT"), ("delete", "DELETE"),
        ("connect", "CONNECT"), ("patch", "patch"), ("options", "options"), ("trace", "trace"), ("gett", "gett"),
    ])
    func `the six oldest methods get capitals when they are set, all others stay`(given: String, kept: String) throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.httpMethod = given
        #expect(request.httpMethod == kept)
        let object = NSMutableURLRequest(url: try url("http://example.org/a"))
        object.httpMethod = given
        #expect(object.httpMethod == kept)
    }

    // BEHAVIOUR 1.A5-url
    @Test func `a request is made with an absolute URL, and keeps the URL that it is given later`() throws {
        let base = try url("http://example.org/dir/")
        let relative = try #require(URL(string: "a?b", relativeTo: base))
        let whole = try url("http://example.org/dir/a?b")
        for made in [
            URLRequest(url: relative).url, NSURLRequest(url: relative).url, NSMutableURLRequest(url: relative).url,
        ] {
            #expect(made == whole && made?.baseURL == nil)
        }
        var request = URLRequest(url: base)
        request.url = relative
        let object = NSMutableURLRequest(url: base)
        object.url = relative
        for kept in [request.url, object.url, (object.copy() as? NSURLRequest)?.url, (object as URLRequest).url] {
            #expect(kept?.relativeString == "a?b" && kept?.baseURL == base)
        }
    }

    // BEHAVIOUR 2.F16-value
    @Test(arguments: ["a\r\nX-Two: 2", "a\nb", "a\rb", "a\0b", "\n", "a\r\n"])
    func `a value with a line end or a NUL is not taken, and what was there stays`(value: String) throws {
        var request = URLRequest(url: try url("http://example.org/a"))
        request.setValue(value, forHTTPHeaderField: "X-One")
        request.addValue(value, forHTTPHeaderField: "X-One")
        #expect(request.allHTTPHeaderFields == nil)
        request.setValue("old", forHTTPHeaderField: "X-One")
        request.setValue(value, forHTTPHeaderField: "X-One")
        request.addValue(value, forHTTPHeaderField: "x-one")
        #expect(request.allHTTPHeaderFields == ["X-One": "old"])
        let object = NSMutableURLRequest(url: try url("http://example.org/a"))
        object.setValue(value, forHTTPHeaderField: "X-One")
        object.addValue(value, forHTTPHeaderField: "X-One")
        #expect(object.allHTTPHeaderFields == nil)
        // A dictionary is taken as it is; what cannot be sent is refused when it would be.
        request.allHTTPHeaderFields = ["X-One": value]
        #expect(request.value(forHTTPHeaderField: "X-One") == value)
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

    // BEHAVIOUR 1.A5-text
    @Test func `a request object prints its class, its address and its URL`() throws {
        let object = NSURLRequest(url: try url("http://example.org/a"))
        let address = Unmanaged.passUnretained(object).toOpaque()
        #expect(object.description == "<NSURLRequest: \(address)> { URL: http://example.org/a }")
        let mutable = NSMutableURLRequest(url: try url("http://example.org/a"))
        mutable.url = nil
        let place = Unmanaged.passUnretained(mutable).toOpaque()
        #expect(mutable.description == "<NSMutableURLRequest: \(place)> { URL: (null) }")
    }

    // BEHAVIOUR 1.A5-hash
    @Test func `the hash takes in what tells requests apart`() throws {
        let before = URLRequest(url: try url("http://example.org/a"))
        func changes(_ change: (inout URLRequest) -> Void) -> Bool {
            var request = before
            change(&request)
            let objectsDiffer = (request as NSURLRequest).hash != (before as NSURLRequest).hash
            #expect(objectsDiffer == (request.hashValue != before.hashValue))
            return objectsDiffer
        }
        let other = try url("http://example.org/b")
        #expect(changes { $0.url = other })
        #expect(changes { $0.mainDocumentURL = other })
        #expect(changes { $0.httpMethod = "POST" })
        #expect(changes { $0.httpBodyStream = InputStream(data: Data([1])) })
        #expect(changes { $0.allowsCellularAccess = false })
        #expect(changes { $0.httpShouldHandleCookies = false })
        #expect(!changes { $0.httpBody = Data([1]) })
        #expect(!changes { $0.setValue("1", forHTTPHeaderField: "X-One") })
        #expect(!changes { $0.timeoutInterval = 3 })
        #expect(!changes { $0.cachePolicy = .returnCacheDataElseLoad })
        #expect(!changes { $0.networkServiceType = .voip })
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
