// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "MinimalPlayer",
  dependencies: [.package(name: "bench360", path: "../..")],
  targets: [
    .executableTarget(name: "MinimalPlayer", dependencies: [.product(name: "Bench360Player", package: "bench360")])
  ])
