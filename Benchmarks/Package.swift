// swift-tools-version: 6.2
import PackageDescription

// One executable for each client, because both declare the names of URLSession. The source is the same.
let package = Package(
    name: "understudy-benchmarks",
    dependencies: [.package(name: "understudy", path: "..")],
    targets: [
        .executableTarget(
            name: "session-networking", dependencies: [.product(name: "SessionNetworking", package: "understudy")],
            path: "Sources/SessionNetworkingClient"),
        .executableTarget(
            name: "foundation-networking", path: "Sources/FoundationNetworkingClient",
            swiftSettings: [.define("BENCHMARK_FOUNDATION")]),
        .executableTarget(name: "report", path: "Sources/Report"),
    ],
    swiftLanguageModes: [.v6]
)
