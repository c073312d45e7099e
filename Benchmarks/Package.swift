// swift-tools-version: 6.2
import PackageDescription

// Every client is one executable, called `CLIENT URL STYLE WORK COUNT`; Measure takes what each costs in the same way.
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
        .package(name: "understudy", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "Measure"),
        .target(name: "Listener"),

        // The same source twice, because both libraries declare the names of URLSession
        program(
            "session-networking", "SessionClient",
            [measure, .product(name: "SessionNetworking", package: "understudy")]),
        program("foundation-networking", "FoundationClient", [measure], defines: ["BENCHMARK_FOUNDATION"]),

        // Peers of the client
        program(
            "async-http-client", "AsyncHTTPClientClient",
            [measure, .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore]),
        program("libcurl", "CurlClient", [measure], libraries: ["curl"]),
        program("epoll", "EpollClient", [measure]),

        // Servers: ours, its peer, the one that lets a burst wait, the one that forgets bodies
        program(
            "scripted-server", "ScriptedServerServer",
            [.product(name: "ScriptedServer", package: "understudy")]),
        program("nio-server", "NIOServer", [nioCore, nioPosix]),
        program("slow-server", "SlowServer", [.target(name: "Listener")]),
        program("discard-server", "DiscardServer", [.target(name: "Listener")]),

        program("report", "Report"),
    ],
    swiftLanguageModes: [.v6]
)
