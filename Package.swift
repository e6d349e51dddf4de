// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error)
]

/// Settings of test targets. They are compiled without optimisation, in half the time; the code under test is optimised. Targets that compute
/// whole pictures are `strict` instead. The second flag: no module imports them, and the compiler would check each file twice, once for an
/// interface that is never read.
let quick: [SwiftSetting] =
  strict + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

/// What the archives of Swift's runtime need of each other; objects ask for the libraries that they import.
let runtimeArchives = [
  "_CFXMLInterface", "CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections", "xml2",
]

/// Linker settings of the program. Swift's runtime is inside it, so that the loader looks up a quarter fewer names, and its 40,000 names are
/// not offered to libraries. Scripts/sanitize leaves the runtime outside: inside, ThreadSanitizer's allocator stops the program at its start.
let runtimeInside: [LinkerSetting] =
  Context.environment["BENCH360_RUNTIME_OUTSIDE"] != nil
  ? []
  : [.unsafeFlags(["-static-stdlib", "-Xlinker", "--no-export-dynamic"])]
    + runtimeArchives.map { .linkedLibrary($0) }

/// Diagnostics with levels.
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// Sockets and HTTP of the origin.
let nio =
  ["NIOCore", "NIOPosix", "NIOHTTP1"].map { Target.Dependency.product(name: $0, package: "swift-nio") }
  + [.product(name: "NIOHTTP2", package: "swift-nio-http2")]

/// The folders of `Sources`, and the targets in each: a target imports only from its own folder and from those before it.
let families: [(folder: String, targets: [String])] = [
  (
    "C",
    ["CLibraries", "CFFmpeg", "CVulkan", "CGLFW", "CAss", "CCurl", "CLibXML2", "CXML", "COpenAL", "CDBus", "CShaders"]
  ),
  // Bytes → packets → frames → textures → pixels and sound, on a clock.
  (
    "Core",
    [
      "Frames", "HTTP", "Media", "Decode", "TestPicture", "Encode", "GPU", "Render", "Overlay", "Sound",
      "Playback",
    ]
  ),
  // URLs → segments → packets, and the server beside it.
  ("Net", ["Adaptation", "Streaming", "Offline", "Ads", "Origin"]),
  // What other programs embed, and the window.
  ("Player", ["Session", "Playlists", "Analytics", "Window", "Desktop", "Bench360Player", "Viewer"]),
  // Measuring and deciding.
  ("Lab", ["Verdict", "Host", "Run", "Observe"]),
  // The command line.
  ("Tool", ["Verbs", "bench360"]),
]

let package = Package(
  name: "bench360",
  products: [
    .executable(name: "bench360", targets: ["bench360"]),
    .library(
      name: "Bench360Engine",
      targets: ["Frames", "Media", "Decode", "TestPicture", "Encode", "GPU", "Render", "Session", "Playback"]),
    .library(name: "Bench360Player", targets: ["Bench360Player", "Window"]),
    .library(name: "Bench360Offline", targets: ["Offline"]),
    .library(name: "Bench360Verdict", targets: ["Verdict"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
  ],
  targets: [
    // The C libraries, each with the inline shims that Swift's importer needs.
    .systemLibrary(name: "CVulkan", pkgConfig: "vulkan"),
    // Not linked, for a start would load their 140 libraries: CLibraries loads them at the first call.
    .systemLibrary(name: "CFFmpeg"),
    .systemLibrary(name: "CGLFW"),
    .systemLibrary(name: "CAss"),
    .systemLibrary(name: "CCurl"),
    .target(name: "CLibraries"),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0"),
    .target(name: "CXML", dependencies: ["CLibXML2"]),
    // Headers alone: OpenAL Soft is loaded at first use, and not linked.
    .systemLibrary(name: "COpenAL"),
    // Declarations of our own: libdbus is loaded at first use, and not linked.
    .systemLibrary(name: "CDBus"),
    // The shaders' words, which Scripts/compile-shaders makes of Shaders.
    .target(name: "CShaders", exclude: ["words"], cSettings: [.headerSearchPath("words")]),

    // Stamps the commit into the program with every build, so that a record says what made it.
    .plugin(name: "StampCommit", capability: .buildTool(), path: "Scripts/StampCommit"),

    // What flows between all the others: frames, formats, colour, time. No C.
    .target(name: "Frames", dependencies: [logging], swiftSettings: strict),
    // URLs → bytes: requests over HTTP, their limits, and what each of them took.
    .target(name: "HTTP", dependencies: ["Frames", "CCurl", "CLibraries", logging], swiftSettings: strict),
    // Bytes → packets: sources, containers and what they tell, sync samples.
    .target(
      name: "Media", dependencies: ["HTTP", "Frames", "CFFmpeg", "CLibraries", logging], swiftSettings: strict,
      // LibXML.swift says why.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=xmlCleanupParser"])]),
    // Rungs, networks and buffers → which segment is loaded when. Controllers, and sessions on a virtual clock. No C, no GPU.
    .target(name: "Adaptation", dependencies: ["Frames"], swiftSettings: strict),
    // HLS and DASH → packets: playlists and manifests as one model, what loads them, by a controller's choice, and what reads the segments.
    .target(
      name: "Streaming", dependencies: ["Adaptation", "Media", "HTTP", "Frames", "CFFmpeg", "CXML", logging],
      swiftSettings: strict),
    // URLs → folders that are played without a network: downloads, and the library of them.
    .target(
      name: "Offline", dependencies: ["Streaming", "Media", "HTTP", "Frames"], swiftSettings: strict),
    // Answers of ad servers → which ads are played when, and whom their events are told to: VMAP and VAST.
    .target(name: "Ads", dependencies: ["Streaming", "Media", "HTTP", "Frames"], swiftSettings: strict),
    // Packets → frames.
    .target(
      name: "Decode", dependencies: ["Media", "Frames", "CFFmpeg", logging], swiftSettings: strict),
    // The synthetic scene, the number that each frame shows, and whether a picture shows the number that it claims.
    .target(name: "TestPicture", dependencies: ["Frames"], swiftSettings: strict),
    // Frames → files: synthetic clips, PNG, JPEG, sprites.
    .target(
      name: "Encode", dependencies: ["TestPicture", "Media", "Frames", "CFFmpeg"], swiftSettings: strict),
    // Vulkan behind Swift types: device, memory, commands, timing, upload, readback.
    .target(
      name: "GPU", dependencies: ["Frames", "CVulkan", logging], swiftSettings: strict),
    // Camera × projection × colour → target.
    .target(name: "Render", dependencies: ["GPU", "Frames", "CShaders"], swiftSettings: strict),
    // What is played in which order: the queue, and playlists of M3U and JSON.
    .target(name: "Playlists", dependencies: ["Render", "Frames"], swiftSettings: strict),
    // What is drawn over the picture.
    .target(
      name: "Overlay", dependencies: ["Render", "GPU", "Frames", "CAss", "CLibraries", "CShaders"],
      swiftSettings: strict),
    // One window and what happens to it. Vulkan draws into it through an opaque surface.
    .target(name: "Window", dependencies: ["GPU", "Frames", "CGLFW", "CLibraries"], swiftSettings: strict),
    // Samples → what is heard: outputs, volume, sound that turns with the view.
    .target(name: "Sound", dependencies: ["Frames", "COpenAL", logging], swiftSettings: strict),
    // What a desktop asks of a player, and what it shows of it: MPRIS on the session's D-Bus.
    .target(name: "Desktop", dependencies: ["Frames", "CDBus", logging], swiftSettings: strict),
    // Device, renderer and clip opened together; automatic choices with their reasons.
    .target(
      name: "Session", dependencies: ["Decode", "Streaming", "Media", "HTTP", "Render", "GPU", "Frames", logging],
      swiftSettings: strict),
    // Decode thread + bounded queue + render loop.
    .target(
      name: "Playback", dependencies: ["Sound", "Decode", "Media", "Render", "GPU", "Frames"], swiftSettings: strict),
    // What happens to what is played → events, as lines of JSON or OpenTelemetry.
    .target(
      name: "Analytics", dependencies: ["Ads", "Playback", "Streaming", "Media", "Frames"], swiftSettings: strict),
    // Files → clients over HTTP: a shaped link, planted faults, a log of each request.
    .target(name: "Origin", dependencies: ["Frames"] + nio, swiftSettings: strict),
    // Samples → metrics → record → statistics, comparison, history, texts. No C, no GPU.
    .target(name: "Verdict", dependencies: ["Frames"], swiftSettings: strict),
    // The machine: profile, noise, sensors, what doctor checks, processes, stress. No C, no GPU.
    .target(
      name: "Host", dependencies: ["Verdict", "Frames", logging], swiftSettings: strict),
    // The engine for programs that embed it: players, their state and events, windows.
    .target(
      name: "Bench360Player",
      dependencies: [
        "Ads", "Analytics", "Window", "Sound", "Playback", "Session", "Overlay", "Decode", "Streaming", "Adaptation",
        "Media", "HTTP", "Render", "GPU", "Frames",
      ],
      swiftSettings: strict),
    // A person in front of the player: hands on the view, keys, files one after the other. It imports nothing that the player is made of.
    .target(
      name: "Viewer",
      dependencies: ["Bench360Player", "Window", "Origin", "Desktop", "Overlay", "Encode", "Playlists", "Frames"],
      swiftSettings: strict),
    // Scenarios in fresh processes, repeated and recorded.
    .target(
      name: "Run",
      dependencies: [
        "Analytics", "Host", "Verdict", "Origin", "Ads", "Sound", "Playback", "Session", "Window", "Overlay", "Render",
        "GPU",
        "Encode", "TestPicture", "Decode", "Streaming", "Adaptation", "Media", "HTTP", "Frames", logging,
      ],
      swiftSettings: strict, plugins: ["StampCommit"]),
    // Other programs that play, watched by the pixels of their screen.
    .target(
      name: "Observe", dependencies: ["Run", "Host", "Verdict", "TestPicture", "Decode", "Media", "Frames"],
      swiftSettings: strict
    ),
    // The command line: one file per verb.
    .target(
      name: "Verbs",
      dependencies: [
        "Observe", "Run", "Viewer", "Bench360Player", "Analytics", "Host", "Verdict", "Origin", "Offline", "Streaming",
        "HTTP",
        "Adaptation", "Desktop",
        "Sound", "Playback", "Session", "Overlay", "Playlists", "Render", "GPU", "Encode", "TestPicture", "Decode",
        "Media",
        "Frames",
        logging, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "bench360", dependencies: ["Verbs"], swiftSettings: strict, linkerSettings: runtimeInside),

    // Programs that embed the player: each is a package of its own, too, as a user of the library has one.
    .executableTarget(
      name: "MinimalPlayer", dependencies: ["Bench360Player"], path: "Examples/MinimalPlayer/Sources",
      swiftSettings: strict),
    .executableTarget(
      name: "OwnControls", dependencies: ["Bench360Player", "Window"], path: "Examples/OwnControls/Sources",
      swiftSettings: strict),
    .executableTarget(
      name: "FrameChecker", dependencies: ["Bench360Player"], path: "Examples/FrameChecker/Sources",
      swiftSettings: strict),

    // Tests mirror Sources; Support holds the CPU twins and the judges.
    .target(
      name: "Support",
      dependencies: ["Render", "GPU", "Decode", "Media", "Encode", "TestPicture", "Frames", "CFFmpeg"],
      path: "Tests/Support",
      swiftSettings: strict),
    // Records, comparisons and histories to test with, and goldens beside the tests.
    .target(
      name: "RecordSamples", dependencies: ["Verdict", "Frames", "Support"], path: "Tests/RecordSamples",
      swiftSettings: strict),
    // What a process holds after players were released, for a test and for Benchmarks/embedding.
    .executableTarget(
      name: "PlayerCycles", dependencies: ["Bench360Player"], path: "Tests/PlayerCycles", swiftSettings: strict),
    // A player with planted faults, which ObserveTests watch.
    .executableTarget(
      name: "PlantedPlayer", path: "Tests/PlantedPlayer", linkerSettings: [.linkedLibrary("X11")]),
    .testTarget(name: "FramesTests", dependencies: ["Frames", "Support"], swiftSettings: quick),
    .testTarget(name: "AdaptationTests", dependencies: ["Adaptation", "Frames", "Support"], swiftSettings: quick),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "Frames", "Support"], swiftSettings: quick),
    .testTarget(
      name: "MediaTests",
      dependencies: ["Media", "HTTP", "Decode", "Encode", "TestPicture", "Frames", "CFFmpeg", "Support"],
      swiftSettings: quick),
    .testTarget(
      name: "StreamingTests",
      dependencies: [
        "Streaming", "Adaptation", "Media", "HTTP", "Decode", "Encode", "TestPicture", "Origin", "Frames", "Support",
      ],
      exclude: ["Golden"], swiftSettings: quick),
    .testTarget(
      name: "OfflineTests",
      dependencies: [
        "Offline", "Streaming", "Adaptation", "Media", "HTTP", "Decode", "Encode", "TestPicture", "Origin", "Frames",
        "Support",
      ],
      swiftSettings: quick),
    .testTarget(
      name: "AdsTests", dependencies: ["Ads", "Streaming", "HTTP", "Media", "Frames", "Support"], swiftSettings: quick),
    .testTarget(
      name: "DecodeTests", dependencies: ["Decode", "Media", "Encode", "TestPicture", "Frames", "Support"],
      swiftSettings: quick),
    .testTarget(
      name: "TestPictureTests", dependencies: ["TestPicture", "Frames", "Support"], swiftSettings: strict),
    .testTarget(
      name: "EncodeTests",
      dependencies: ["Encode", "TestPicture", "Decode", "Media", "Frames", "Support"],
      swiftSettings: quick),
    .testTarget(
      name: "RenderTests",
      dependencies: ["Overlay", "Render", "GPU", "Decode", "Media", "Encode", "TestPicture", "Frames", "Support"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "PlaylistsTests", dependencies: ["Playlists", "Render", "Frames", "Support"], swiftSettings: quick),
    .testTarget(
      name: "OverlayTests", dependencies: ["Overlay", "Render", "GPU", "Encode", "Frames", "Support"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "Bench360PlayerTests",
      dependencies: [
        "Bench360Player", "Analytics", "Sound", "Playback", "Session", "Overlay", "Render", "GPU", "Encode",
        "TestPicture", "Decode", "Streaming", "Media", "Origin", "Window", "Frames", "Support",
      ],
      exclude: ["Golden"], swiftSettings: quick),
    .testTarget(
      name: "WindowTests",
      dependencies: [
        "Bench360Player", "Viewer", "Window", "Desktop", "Overlay", "Render", "GPU", "Origin", "Encode", "Streaming",
        "Adaptation", "TestPicture",
        "Frames", "Support",
      ],
      swiftSettings: quick),
    .testTarget(
      name: "SessionTests",
      dependencies: [
        "Bench360Player", "Offline", "Window", "Verdict", "Playback", "Session", "Render", "GPU", "Decode",
        "Media",
        "Encode", "TestPicture",
        "Frames", "Support",
      ],
      swiftSettings: quick),
    .testTarget(
      name: "PlaybackTests",
      dependencies: [
        "Verdict", "Sound", "Playback", "Session", "Origin", "Streaming", "Adaptation", "Render", "GPU", "Decode",
        "Media",
        "Encode", "TestPicture", "Frames", "Support",
      ],
      exclude: ["Golden"], swiftSettings: quick),
    // Render for the camera, whose signs the sound shares.
    .testTarget(name: "SoundTests", dependencies: ["Sound", "Render", "Frames", "Support"], swiftSettings: quick),
    .testTarget(name: "DesktopTests", dependencies: ["Desktop", "Frames", "Support"], swiftSettings: quick),
    .testTarget(name: "OriginTests", dependencies: ["Origin", "Frames", "Support"], swiftSettings: quick),
    .testTarget(
      name: "HostTests", dependencies: ["Host", "Verdict", "Frames", "Support", logging], swiftSettings: quick),
    .testTarget(
      name: "VerdictTests", dependencies: ["RecordSamples", "Verdict", "Frames", "Support"],
      exclude: ["Fixtures", "Golden"], swiftSettings: quick),
    .testTarget(
      name: "ReportTests", dependencies: ["RecordSamples", "Verdict", "Frames", "Support"],
      exclude: ["Golden"], swiftSettings: quick),
    .testTarget(
      name: "ViewerTests",
      dependencies: [
        "Bench360Player", "Viewer", "Sound", "Window", "Playback", "Session", "Overlay", "Render", "GPU", "Encode",
        "Decode", "Streaming",
        "Media", "Playlists", "Frames", "Support",
      ],
      exclude: ["Golden"], swiftSettings: quick),
    .testTarget(
      name: "RunTests",
      dependencies: [
        "Run", "Host", "Verdict", "Streaming", "Adaptation", "Decode", "Media", "HTTP", "TestPicture", "Frames",
        "Support",
      ],
      swiftSettings: quick),
    .testTarget(
      name: "ObserveTests", dependencies: ["Observe", "Host", "Verdict", "TestPicture", "Frames", "Support"],
      swiftSettings: quick),
    .testTarget(
      name: "CommandLineTests", dependencies: ["Verbs", "Decode", "Encode", "TestPicture", "Frames", "Support"],
      exclude: ["Golden"], swiftSettings: quick),
    // What reads untrusted bytes, by name: for FuzzTests, and for libFuzzer by Scripts/fuzz.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Run", "Origin", "Verdict", "Playlists", "Ads", "Streaming", "Adaptation", "Decode", "Media", "HTTP", "Frames",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "Frames", "Support"], swiftSettings: quick),
    .testTarget(name: "RepositoryTests", dependencies: ["Support"], exclude: ["Fixtures"], swiftSettings: quick),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.path == nil && target.type != .test {
  let family = families.first { $0.targets.contains(target.name) }
  target.path = family.map { "Sources/\($0.folder)/\(target.name)" }
}

// It links only as Scripts/fuzz builds it, with libFuzzer.
if Context.environment["BENCH360_FUZZ"] != nil {
  package.targets.append(.executableTarget(name: "Fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver"))
}
