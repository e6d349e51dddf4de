internal import CShaders

/// SPIR-V of what is drawn over views, entry point `main`, from `Shaders/` by `Scripts/compile-shaders`.
enum OverlayShaders {
  static var graticuleFragment: [UInt32] { words(bench_shader_graticuleFragment()) }
  static var planetGraticuleFragment: [UInt32] { words(bench_shader_planetGraticuleFragment()) }
  static var quadVertex: [UInt32] { words(bench_shader_quadVertex()) }
  static var quadFragment: [UInt32] { words(bench_shader_quadFragment()) }

  private static func words(_ shader: BenchShader) -> [UInt32] {
    Array(UnsafeBufferPointer(start: shader.words, count: shader.count))
  }
}
