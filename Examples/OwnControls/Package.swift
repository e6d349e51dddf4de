// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OwnControls",
  dependencies: [.package(name: "bench360", path: "../..")],
  targets: [
    .executableTarget(name: "OwnControls", dependencies: [.product(name: "Bench360Player", package: "bench360")])
  ])
