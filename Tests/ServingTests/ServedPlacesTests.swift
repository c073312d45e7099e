import ServerScript
import Testing

@testable import Serving

@Suite struct ServedPlacesTests {
    @Test func `the first host has the plain name, and each its own`() {
        let variables = ServedPlaces.variables(["a.test", "b-c.test", "gone.test"]) {
            $0 == "gone.test" ? nil : "http://\($0):1"
        }
        let wanted = [
            "UNDERSTUDY_URL": "http://a.test:1", "UNDERSTUDY_URL_A_TEST": "http://a.test:1",
            "UNDERSTUDY_URL_B_C_TEST": "http://b-c.test:1",
        ]
        #expect(variables == wanted)
    }

    @Test func `each of several files has a variable for its place`() {
        let mounts = [ScriptMount.Place.prefix("/v2/b"), .host("c.test"), .port(81)].map { ScriptMount($0, Script()) }
        let variables = ServedPlaces.variables(mounts, url: "http://h:1") { $0 == "//:81" ? "http://h:81" : nil }
        let wanted = [
            "UNDERSTUDY_URL_V2_B": "http://h:1/v2/b", "UNDERSTUDY_URL_C_TEST": "http://h:1",
            "UNDERSTUDY_URL_81": "http://h:81",
        ]
        #expect(variables == wanted)
        let urls = mounts.map { ServedPlaces.url(of: $0, server: "http://h:1") { _ in "http://h:81" } }
        #expect(urls == ["http://h:1/v2/b", "http://h:1", "http://h:81"])
    }

    @Test func `a proxy is in all variables that clients look at`() {
        let variables = ServedPlaces.proxyVariables("http://p:1")
        #expect(variables["http_proxy"] == "http://p:1" && variables["HTTPS_PROXY"] == "http://p:1")
        #expect(variables["no_proxy"] == "" && variables.count == 8)
    }
}
