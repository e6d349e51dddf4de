// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FrameChecker",
  dependencies: [.package(name: "bench360", path: "../..")],
  targets: [
    .executableTarget(name: "FrameChecker", dependencies: [.product(name: "Bench360Player", package: "bench360")])
  ])
