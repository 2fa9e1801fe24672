// swift-tools-version: 6.2
import PackageDescription

/// One list of settings for every target of ours: what the compiler can check, it checks.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Swift's own libraries become part of the program: it runs where no Swift is installed, and takes
/// a fifth less time where half of it is spent inside them. `--static-swift-stdlib` would do the
/// same, but compiles every target anew: with this, `swift build` and the tests share one build.
let selfContained: [LinkerSetting] = [
  .unsafeFlags([
    "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
    "-l_FoundationCollections",
  ])
]

func layer(_ name: String, uses: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: uses, swiftSettings: strict)
}

/// Tests are compiled as they stand: optimising them takes most of a cold build, and what they call
/// is optimised.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

func tests(_ name: String, uses: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: uses, swiftSettings: strict + unoptimized)
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

/// For other programs: docs/event-store.md.
let eventStore = Product.library(name: "EventStore", targets: ["EventStore", "VdirStorage"])

let package = Package(
  name: "calgw",
  products: [.executable(name: "calgw", targets: ["calgw"]), eventStore],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // C libraries and the calls that Swift's own modules do not show.
    .systemLibrary(
      name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CCurl", dependencies: ["CLibCurl"], linkerSettings: [.linkedLibrary("curl")]),
    .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "CLinux"),

    // The calendar's own subject; pure.
    layer("ICalendar"),
    layer("Recurrence", uses: ["ICalendar"]),
    layer("EventEditing", uses: ["Recurrence", "ICalendar"]),

    // The sync engine: nouns and ports, decisions, effects.
    layer("SyncModel"),
    layer("SyncPlanning", uses: ["SyncModel", "ICalendar", "Recurrence"]),
    layer("SyncExecution", uses: ["SyncPlanning", "SyncModel", "ICalendar"]),

    // Adapters; none imports another.
    layer("VdirStorage", uses: ["SyncModel", "CLinux"]),
    layer("StreamStorage", uses: ["SyncModel", "ICalendar"]),
    layer("WebDAV", uses: ["CXML2"]),
    layer("CurlTransport", uses: ["WebDAV", "CCurl"]),
    layer("CalDAVStorage", uses: ["SyncModel", "WebDAV", "ICalendar"]),
    layer("SQLiteJournal", uses: ["SyncModel", grdb]),

    // A library of its own, for other programs.
    layer("EventStore", uses: ["EventEditing", "Recurrence", "ICalendar", "SyncModel"]),

    // Composition, and the command line.
    layer(
      "CalgwKit",
      uses: [
        "ICalendar", "Recurrence", "EventEditing", "SyncModel", "SyncPlanning", "SyncExecution",
        "VdirStorage", "StreamStorage", "WebDAV", "CurlTransport", "CalDAVStorage",
        "SQLiteJournal", "CCrypto", "CLinux", toml, logging,
      ]),
    .executableTarget(
      name: "calgw", dependencies: ["CalgwKit", argumentParser], swiftSettings: strict,
      linkerSettings: selfContained),

    .target(
      name: "TestSupport",
      dependencies: [
        "SyncModel", "SyncPlanning", "ICalendar", "Recurrence", "VdirStorage", "WebDAV", "CCrypto",
        "CLinux",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    // Whole worlds played in memory, by the tests and by Scripts/simulate.
    .target(
      name: "Simulation",
      dependencies: [
        "TestSupport", "SyncExecution", "SyncPlanning", "SyncModel", "ICalendar", "VdirStorage",
        "WebDAV", "CalDAVStorage",
      ],
      path: "Tests/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", "TestSupport"], path: "Tests/Simulate",
      swiftSettings: strict, linkerSettings: selfContained),
    tests("SimulationTests", uses: ["Simulation", "SyncModel", "TestSupport"]),
    tests("ICalendarTests", uses: ["ICalendar", "TestSupport"]),
    tests("RecurrenceTests", uses: ["Recurrence", "ICalendar", "TestSupport"]),
    tests("EventEditingTests", uses: ["EventEditing", "Recurrence", "ICalendar", "TestSupport"]),
    .executableTarget(
      name: "EventStoreExample",
      dependencies: [
        "EventStore", "Recurrence", "ICalendar", "SyncModel", "VdirStorage", "CCrypto",
      ],
      path: "Tests/EventStoreExample", swiftSettings: strict),
    tests(
      "EventStoreTests",
      uses: [
        "EventStore", "EventEditing", "Recurrence", "ICalendar", "SyncModel", "VdirStorage",
        "TestSupport",
      ]),
    tests(
      "SyncPlanningTests",
      uses: ["SyncPlanning", "SyncModel", "ICalendar", "Recurrence", "TestSupport"]),
    tests(
      "SyncExecutionTests",
      uses: [
        "SyncExecution", "SyncPlanning", "SyncModel", "Recurrence", "ICalendar", "TestSupport",
      ]),
    tests("VdirStorageTests", uses: ["VdirStorage", "SyncModel", "CLinux", "TestSupport"]),
    tests(
      "StreamStorageTests",
      uses: ["StreamStorage", "SyncModel", "ICalendar", "VdirStorage", "TestSupport"]),
    tests("WebDAVTests", uses: ["WebDAV", "TestSupport"]),
    tests("CurlTransportTests", uses: ["CurlTransport", "WebDAV", "TestSupport"]),
    tests("CalDAVStorageTests", uses: ["CalDAVStorage", "WebDAV", "SyncModel", "TestSupport"]),
    tests("SQLiteJournalTests", uses: ["SQLiteJournal", "SyncModel", "TestSupport", grdb]),
    tests(
      "CalgwKitTests",
      uses: [
        "CalgwKit", "CurlTransport", "WebDAV", "SyncModel", "ICalendar", "Recurrence",
        "TestSupport",
      ]),
    tests("CommandLineTests", uses: ["TestSupport"]),
    tests(
      "IntegrationTests",
      uses: [
        "SyncExecution", "SyncModel", "VdirStorage", "WebDAV", "CurlTransport", "CalDAVStorage",
        "SQLiteJournal", "TestSupport",
      ]),
    tests("EndToEndTests", uses: ["TestSupport"]),
    tests("TidyTests", uses: ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
