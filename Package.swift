// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is built with these: Swift 6 mode, no warning passes, and the upcoming features that make imports and
/// existentials explicit.
let strict: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    + ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map { .enableUpcomingFeature($0) }

let package = Package(
    name: "FolderSync",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "FileCoordination", targets: ["FileCoordination"]),
        .library(name: "LLVSCore", targets: ["LLVSCore"]),
        .library(name: "FolderSync", targets: ["FolderSync"]),
        .library(name: "StorageConformance", targets: ["StorageConformance"]),
        .executable(name: "foldersync", targets: ["FolderSyncCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "CPlatform", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "FileCoordination", dependencies: ["CPlatform"], swiftSettings: strict),
        .target(
            name: "LLVSCore", dependencies: ["FileCoordination", "CPlatform", "CSQLite"], swiftSettings: strict),
        .target(
            name: "FolderSync", dependencies: ["FileCoordination", "LLVSCore", "CPlatform"], swiftSettings: strict),
        .target(name: "StorageConformance", dependencies: ["LLVSCore"], swiftSettings: strict),
        .executableTarget(
            name: "FolderSyncCommand", dependencies: ["FolderSync", "LLVSCore", "FileCoordination"],
            swiftSettings: strict),
        .target(name: "CBenchmarkFloors", path: "Benchmarks/CFloors"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "FolderSync", "LLVSCore", "FileCoordination", "CSQLite", "CBenchmarkFloors", "TestSupport",
            ],
            path: "Benchmarks", exclude: ["CFloors"], swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["FolderSync", "LLVSCore", "FileCoordination"],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "FileCoordinationTests", dependencies: ["FileCoordination", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "LLVSCoreTests",
            dependencies: [
                "LLVSCore", "FileCoordination", "CPlatform", "CSQLite", "StorageConformance", "TestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "FolderSyncTests", dependencies: ["FolderSync", "LLVSCore", "FileCoordination", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: strict),
        .testTarget(
            name: "FolderSyncCommandTests", dependencies: ["FolderSyncCommand", "TestSupport"],
            swiftSettings: strict),
        .executableTarget(
            name: "LiveTestWriter", dependencies: ["FileCoordination"], path: "LiveTests/Programs/Writer",
            swiftSettings: strict),
        .executableTarget(
            name: "LiveTestSaver", dependencies: ["LLVSCore"], path: "LiveTests/Programs/Saver", swiftSettings: strict),
        .testTarget(
            name: "LiveTests",
            dependencies: [
                "FolderSync", "LLVSCore", "FileCoordination", "FolderSyncCommand", "LiveTestWriter", "LiveTestSaver",
                "TestSupport",
            ],
            path: "LiveTests", exclude: ["Programs"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
