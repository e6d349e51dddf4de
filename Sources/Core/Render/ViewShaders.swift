internal import CShaders

/// SPIR-V of views, entry point `main`, from `Shaders/` by `Scripts/compile-shaders`.
enum ViewShaders {
  static var fullscreenVertex: [UInt32] { words(bench_shader_fullscreenVertex()) }
  static var sphereMeshVertex: [UInt32] { words(bench_shader_sphereMeshVertex()) }
  static var meshFragment: [UInt32] { words(bench_shader_meshFragment()) }

  static func words(_ shader: BenchShader) -> [UInt32] {
    Array(UnsafeBufferPointer(start: shader.words, count: shader.count))
  }
}
