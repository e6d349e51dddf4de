// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error)
]

// Programs that measure bench360 itself. Not part of its build.
let package = Package(
  name: "bench360-benchmarks",
  dependencies: [
    // Named, since the folder may have any name.
    .package(name: "bench360", path: "..")
  ],
  targets: [
    // Random numbers from a seed, and shares with their intervals.
    .target(name: "Chance", swiftSettings: strict),
    // How often verdicts are wrong, and what they miss: on made-up noise, and on runs of a real machine.
    .executableTarget(
      name: "simulate-verdicts", dependencies: ["Chance", .product(name: "Bench360Verdict", package: "bench360")],
      swiftSettings: strict),
    .executableTarget(
      name: "simulate-history", dependencies: ["Chance", .product(name: "Bench360Verdict", package: "bench360")],
      swiftSettings: strict),
    .executableTarget(
      name: "resample-verdicts", dependencies: ["Chance", .product(name: "Bench360Verdict", package: "bench360")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
