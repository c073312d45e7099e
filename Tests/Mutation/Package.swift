// swift-tools-version: 6.2
import PackageDescription

// A package of its own: a build of Understudy need not build swift-syntax.
let package = Package(
    name: "understudy-mutation",
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "mutate-sources",
            dependencies: [
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/MutateSources")
    ],
    swiftLanguageModes: [.v6]
)
