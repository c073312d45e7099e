// swift-tools-version: 6.2
import PackageDescription

// A package of its own: who uses Understudy need not resolve DocC's plugin. `make documentation` builds it.
let package = Package(
    name: "understudy-documentation",
    dependencies: [
        .package(name: "understudy", path: "../.."),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ]
)
