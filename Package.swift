// swift-tools-version: 6.3
import PackageDescription

// Arrows point only downward: values < contract < pure machines < worlds and formats < faces.
// Documentation/ARCHITECTURE.md draws the picture; Tests/TidyTests keeps it true.

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioFoundation = Target.Dependency.product(name: "NIOFoundationCompat", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let deques = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heaps = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
// Of Yams we use libyaml, its module CYaml, which is no product of its own.
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "understudy",
    products: [
        .library(name: "SessionNetworking", targets: ["SessionNetworking"]),
        .library(name: "ScriptedServer", targets: ["ScriptedServer"]),
        .library(name: "ScriptedServerTesting", targets: ["ScriptedServerTesting"]),
        .library(name: "InProcessServer", targets: ["InProcessServer"]),
        .executable(name: "understudy", targets: ["understudy"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Values
        library("Locks", []),
        library("RuntimeLibraries", []),
        library("HTTPBasics", [nioCore]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        library("Inflate", ["CZlib", "RuntimeLibraries", nioCore]),
        library("TLSBasics", []),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        library("TLSEngine", ["COpenSSL", "TLSBasics", "HTTPBasics", "Locks", deques, nioCore]),
        library("TestCertificates", ["TLSBasics", "HTTPBasics"]),
        library("Digests", ["COpenSSL"]),
        .systemLibrary(name: "CNamespaces"),
        .systemLibrary(name: "CChecksum"),
        .systemLibrary(name: "CPageCache"),

        // Contract
        library("MachineContract", ["HTTPBasics", deques]),

        // Pure machines
        library(
            "ClientMachines",
            ["MachineContract", "HTTPBasics", "Inflate", "Digests", "TLSBasics", deques, heaps, nioCore]),
        library(
            "ServerScript",
            ["MachineContract", "HTTPBasics", "TLSBasics", "Digests", "CZlib", "RuntimeLibraries", deques, nioCore]),
        library("Cookbook", ["ServerScript", "Digests", "HTTPBasics", nioCore]),

        // Worlds and formats
        library(
            "ClientTLS", ["ClientMachines", "TLSEngine", "TLSBasics", "HTTPBasics", "Locks", deques, nioCore]),
        library(
            "ServerTLS",
            ["ServerScript", "TestCertificates", "TLSEngine", "TLSBasics", "HTTPBasics", deques, nioCore]),
        library("BodyFiles", ["ClientMachines", "MachineContract", "HTTPBasics", nioCore]),
        library(
            "CacheFiles",
            [
                "BodyFiles", "MachineContract", "Digests", "HTTPBasics", "CChecksum", "CPageCache", "CZlib", "Locks",
                heaps, nioCore,
            ]),
        library(
            "ClientEngine",
            [
                "Locks", "RuntimeLibraries", "ClientMachines", "ClientTLS", "BodyFiles", "MachineContract",
                "TLSBasics", "HTTPBasics", deques, nioCore, nioPosix,
            ]),
        library(
            "ScriptedServer",
            [
                "Locks", "ServerScript", "ServerTLS", "TestCertificates", "TLSEngine", "TLSBasics", "MachineContract",
                "HTTPBasics", deques, nioCore, nioPosix,
            ]),
        library(
            "Simulator",
            [
                "Locks", "ClientMachines", "ClientTLS", "ServerScript", "ServerTLS", "BodyFiles", "MachineContract",
                "TLSEngine", "TestCertificates", "TLSBasics", "HTTPBasics", deques, heaps, nioCore,
            ]),
        library("ScenarioFormat", ["MachineContract", "TLSBasics", "HTTPBasics", "ServerScript", yams]),

        // Faces
        library(
            "SessionNetworking",
            [
                "Locks", "RuntimeLibraries", "ClientEngine", "ClientMachines", "ClientTLS", "BodyFiles", "CacheFiles",
                "MachineContract", "TLSEngine", "TLSBasics", "HTTPBasics", deques, nioCore, nioFoundation,
            ]),
        library("ScriptedServerTesting", ["ScriptedServer", "ScenarioFormat", "ServerScript"]),
        library(
            "InProcessServer",
            [
                "ScriptedServer", "SessionNetworking", "ClientEngine", "ClientMachines", "ClientTLS", "TLSEngine",
                "TestCertificates",
            ]),
        library("Judge", ["ScenarioFormat", "ServerScript", "HTTPBasics", "Locks", nioCore]),
        library(
            "Control",
            ["ScriptedServer", "ScenarioFormat", "ServerScript", "HTTPBasics", nioCore, nioHTTP1, nioPosix]),
        library(
            "Serving",
            [
                "Judge", "Control", "Cookbook", "ScriptedServer", "ScenarioFormat", "ServerScript", "HTTPBasics",
                "Locks",
            ]),
        library(
            "ClientLane",
            [
                "Judge", "SessionNetworking", "CacheFiles", "ClientEngine", "ClientMachines", "ClientTLS", "Simulator",
                "MachineContract", "ScriptedServer", "ScenarioFormat", "ServerScript", "TestCertificates", "TLSEngine",
                "TLSBasics",
                "HTTPBasics", "Locks",
            ]),
        library(
            "Harness",
            [
                "Judge", "ClientLane", "Serving", "Simulator", "ScenarioFormat", "ServerScript", "HTTPBasics", "Locks",
                nioCore,
            ]),
        .executableTarget(
            name: "understudy",
            dependencies: [
                "Harness", "Judge", "Serving", "Cookbook", "ScenarioFormat", "ServerScript", "TLSEngine",
                "TestCertificates", "HTTPBasics", argumentParser,
            ],
            swiftSettings: strict),
        // Which functions a program calls: `.ci/command` lays the command out by that.
        .executableTarget(name: "call-order"),
        // The lane once more, against the toolchain's URLSession: its folder holds a link to the lane's.
        .executableTarget(
            name: "understudy-reference",
            dependencies: [
                "Judge", "ScriptedServer", "ScenarioFormat", "ServerScript", "TestCertificates", "TLSBasics",
                "HTTPBasics", "Locks", "CNamespaces",
            ],
            swiftSettings: strict),

        // Tests mirror Sources path for path. Every module that a target imports is named here: SwiftPM rebuilds a
        // target for those that it is told of.
        .target(
            name: "TestSupport", dependencies: ["MachineContract", "HTTPBasics", nioCore], path: "Tests/TestSupport",
            swiftSettings: strict),
        tests("HTTPBasicsTests", ["HTTPBasics"]),
        tests("RuntimeLibrariesTests", ["RuntimeLibraries"]),
        tests("DigestsTests", ["Digests"]),
        tests("InflateTests", ["Inflate", "CZlib", "TestSupport", nioCore]),
        tests("TLSEngineTests", ["TLSEngine", "TLSBasics", "TestCertificates", "COpenSSL", "HTTPBasics", nioCore]),
        tests("MachineContractTests", ["MachineContract", "HTTPBasics", "TestSupport"]),
        tests(
            "ClientMachinesTests",
            [
                "ClientMachines", "Inflate", "Digests", "MachineContract", "TLSBasics", "HTTPBasics", "TestSupport",
                nioCore,
            ],
            exclude: ["Wire/Goldens", "Task/Goldens"]),
        tests("BodyFilesTests", ["BodyFiles", "ClientMachines", "MachineContract", nioCore]),
        tests(
            "CacheFilesTests",
            ["CacheFiles", "BodyFiles", "MachineContract", "HTTPBasics", "TestSupport", "cache-writer", nioCore]),
        tests(
            "ServerScriptTests", ["ServerScript", "MachineContract", "TLSBasics", "HTTPBasics", "TestSupport", nioCore]),
        tests(
            "ClientTLSTests",
            [
                "ClientTLS", "ServerTLS", "ServerScript", "ClientMachines", "TestCertificates", "TLSEngine",
                "TLSBasics", "HTTPBasics", "TestSupport", nioCore,
            ]),
        tests(
            "ClientEngineTests",
            [
                "Locks", "RuntimeLibraries", "ClientEngine", "ClientMachines", "BodyFiles", "MachineContract",
                "HTTPBasics", "TestSupport", nioCore, nioPosix,
            ]),
        tests(
            "ScriptedServerTests",
            [
                "Locks", "ScriptedServer", "ServerScript", "ServerTLS", "TLSEngine", "TLSBasics", "HTTPBasics",
                "TestSupport", nioCore, nioPosix, nioEmbedded,
            ]),
        tests(
            "SimulatorTests",
            [
                "Simulator", "ClientMachines", "ServerScript", "BodyFiles", "Inflate", "MachineContract", "HTTPBasics",
                "Locks", nioCore,
            ]),
        tests(
            "ScenarioFormatTests", ["ScenarioFormat", "ServerScript", "HTTPBasics"],
            exclude: ["Mistakes", "Good", "Shown"]),
        tests(
            "SessionNetworkingTests",
            [
                "Locks", "SessionNetworking", "ScriptedServer", "ClientMachines", "BodyFiles", "CacheFiles",
                "MachineContract",
                "ClientTLS", "ServerScript", "TestCertificates", "TLSEngine", "TLSBasics", "Digests",
                "HTTPBasics",
                "TestSupport", "file-writer", nioCore, nioPosix,
            ]),
        // One source, compiled against our module and against Foundation's
        .testTarget(
            name: "ParityTestsOurs", dependencies: ["SessionNetworking", "ScriptedServer"], path: "Tests/ParityTests",
            swiftSettings: strict),
        .testTarget(
            name: "ParityTestsFoundation", dependencies: ["ScriptedServer"],
            swiftSettings: strict + [.define("PARITY_FOUNDATION")]),
        .target(
            name: "JudgeTestSupport", dependencies: ["Judge", "ScenarioFormat", "ServerScript", "HTTPBasics"],
            path: "Tests/JudgeTestSupport", swiftSettings: strict),
        tests(
            "ClientLaneTests",
            [
                "ClientLane", "SessionNetworking", "ClientMachines", "Simulator", "Judge", "JudgeTestSupport",
                "ScenarioFormat", "ServerScript", "HTTPBasics", "Locks", "TestSupport",
            ]),
        tests(
            "JudgeTests", ["Judge", "JudgeTestSupport", "ScenarioFormat", "ServerScript", "HTTPBasics", nioCore],
            exclude: ["Planning/played.txt", "Planning/malformed.txt"]),
        tests(
            "CookbookTests",
            ["Cookbook", "ScriptedServer", "ServerScript", "Digests", "HTTPBasics", "TestSupport", nioCore]),
        tests("ControlTests", ["Control", "ScriptedServer", "ServerScript", "HTTPBasics", "TestSupport"]),
        tests(
            "ServingTests",
            [
                "Serving", "Judge", "Cookbook", "ScenarioFormat", "SessionNetworking", "ServerScript", "HTTPBasics",
                "Locks", "TestSupport",
            ]),
        tests(
            "HarnessTests",
            [
                "Locks", "Harness", "Judge", "JudgeTestSupport", "Serving", "ClientLane", "ClientMachines",
                "Simulator", "ScenarioFormat", "ServerScript", "MachineContract", "HTTPBasics",
            ]),
        tests("understudyTests", ["understudy", "understudy-reference", "SessionNetworking", "HTTPBasics"]),
        tests("ScriptedServerTestingTests", ["ScriptedServerTesting", "ScriptedServer", "TestSupport"]),
        tests(
            "InProcessServerTests",
            [
                "InProcessServer", "SessionNetworking", "ScriptedServer", "ClientEngine", "ClientMachines",
                "ClientLane", "Judge", "ScenarioFormat", "Locks", "TestSupport",
            ]),
        // What `make fuzz` instruments; in every other build a small command. See Tests/Fuzz/Fuzz.swift.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "ClientEngine", "ClientMachines", "ServerScript", "Cookbook", "Control", "ScenarioFormat",
                "SessionNetworking", "Simulator", "BodyFiles", "CacheFiles", "Inflate", "MachineContract", "HTTPBasics",
                "TestSupport", "TLSEngine", "TLSBasics", "TestCertificates", nioCore,
            ],
            path: "Tests/Fuzz", exclude: ["Corpus", "Dictionaries"], swiftSettings: strict),
        tests("FuzzTests", ["fuzz", nioCore]),
        // Changes a private file until it is killed: its test does that.
        .executableTarget(
            name: "file-writer", dependencies: ["SessionNetworking"], path: "Tests/FileWriter", swiftSettings: strict),
        // Stores until it is killed, and looks what is there then: a test and `make soak` do that.
        .executableTarget(
            name: "cache-writer", dependencies: ["CacheFiles", "HTTPBasics", nioCore], path: "Tests/CacheWriter",
            exclude: ["soak.sh"],
            swiftSettings: strict),
        // A session for every request: `make soak` and `make sanitize` run it.
        .executableTarget(
            name: "soak", dependencies: ["SessionNetworking"], path: "Tests/Soak", swiftSettings: strict),
        // What `make budget` counts and `make bench` holds beside its peers; those are a package of their own.
        .target(name: "Measure", path: "Benchmarks/Sources/Measure"),
        .executableTarget(
            name: "session-networking", dependencies: ["SessionNetworking", "Measure"],
            path: "Benchmarks/Sources/SessionClient", swiftSettings: strict),
        .executableTarget(
            name: "scripted-server", dependencies: ["ScriptedServer"],
            path: "Benchmarks/Sources/ScriptedServerServer", swiftSettings: strict),
        .executableTarget(name: "epoll", dependencies: ["Measure"], path: "Benchmarks/Sources/EpollClient"),
        // The code of the documentation catalogs, which are in the folders of the two libraries.
        tests(
            "DocumentationTests",
            [
                "SessionNetworking", "ScriptedServer", "InProcessServer", "ScenarioFormat", "ServerScript",
                "MachineContract", "HTTPBasics", "TestSupport", nioCore,
            ]),
        tests("TidyTests", [], exclude: ["exemptions.txt"]),
    ],
    swiftLanguageModes: [.v6]
)
