import Foundation
import FuzzTargets

/// libFuzzer's engine, which the compiler links for `-sanitize=fuzzer`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Feeds the target that `BENCH360_FUZZ_TARGET` names with one input after the other.
enum Driver {
  private static let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["BENCH360_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.named(name) else {
      FileHandle.standardError.write(
        Data("fuzz: BENCH360_FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name).joined(separator: ", "))\n".utf8))
      exit(64)
    }
    return target
  }()

  static func run() -> CInt {
    var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
    return runDriver(&count, &arguments, testOneInput)
  }

  static func read(_ bytes: UnsafeBufferPointer<UInt8>) { target.read(Array(bytes)) }
}

/// By this name libFuzzer's own `main`, which is linked as well, calls it.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Driver.read(UnsafeBufferPointer(start: bytes, count: count))
  return 0
}
