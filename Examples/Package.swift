// swift-tools-version: 6.2
import PackageDescription

// Programs that show what SessionNetworking is for. README.md says how to run them against `understudy serve`.

func program(_ name: String, _ path: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: "SessionNetworking", package: "understudy")], path: "Sources/\(path)")
}

let package = Package(
    name: "understudy-examples",
    dependencies: [.package(name: "understudy", path: "..")],
    targets: [
        program("cached-reader", "CachedReader"),
        program("form-upload", "FormUpload"),
        program("resumable-download", "ResumableDownload"),
        program("sign-in", "SignIn"),
        program("sliced-upload", "SlicedUpload"),
        .testTarget(
            name: "GreetingTests",
            dependencies: [
                .product(name: "ScriptedServer", package: "understudy"),
                .product(name: "SessionNetworking", package: "understudy"),
            ]),
    ]
)
