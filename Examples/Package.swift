// swift-tools-version: 6.2
import PackageDescription

// Programs that show what SessionNetworking is for. README.md says how to run them against `understudy serve`.

let sessionNetworking = Target.Dependency.product(name: "SessionNetworking", package: "understudy")

let package = Package(
    name: "understudy-examples",
    dependencies: [.package(name: "understudy", path: "..")],
    targets: [
        .executableTarget(
            name: "resumable-download", dependencies: [sessionNetworking], path: "Sources/ResumableDownload")
    ]
)
