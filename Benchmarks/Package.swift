// swift-tools-version: 6.2
import PackageDescription

// Our peers; our own programs are targets of the package above. Every client is one executable, called
// `CLIENT URL STYLE WORK COUNT`; Measure takes what each costs in the same way.
let measure = Target.Dependency.target(name: "Measure")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")

func program(
    _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], defines: [String] = [],
    libraries: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(path)",
        swiftSettings: defines.map { .define($0) }, linkerSettings: libraries.map { .linkedLibrary($0) })
}

let package = Package(
    name: "understudy-benchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "Measure"),
        .target(name: "Listener"),

        // Peers of the client. The first has its source, by a link: both libraries declare the names of URLSession.
        program("foundation-networking", "FoundationClient", [measure], defines: ["BENCHMARK_FOUNDATION"]),
        program(
            "async-http-client", "AsyncHTTPClientClient",
            [
                measure, .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"), nioCore,
            ]),
        program("libcurl", "CurlClient", [measure], libraries: ["curl"]),

        // Servers: the peer of ours, the one that lets a burst wait, the one that forgets bodies
        program("nio-server", "NIOServer", [nioCore, nioPosix]),
        program("slow-server", "SlowServer", [.target(name: "Listener")]),
        program("discard-server", "DiscardServer", [.target(name: "Listener")]),
        // What wrk cannot do to them: a rate, idle connections, a start
        program("load-client", "LoadClient"),

        program("report", "Report"),
    ],
    swiftLanguageModes: [.v6]
)
