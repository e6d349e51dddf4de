internal import CShaders

/// The shaders of `Shaders/projection_<name>.glsl`. Projections that differ only in their lens share them.
enum ProjectionShader: Hashable {
  case flat, equirectangular, part, cubemap, eac, fisheye, planet

  /// SPIR-V words.
  var fragment: [UInt32] {
    switch self {
    case .flat: ViewShaders.words(bench_shader_flatFragment())
    case .equirectangular: ViewShaders.words(bench_shader_equirectangularFragment())
    case .part: ViewShaders.words(bench_shader_partFragment())
    case .cubemap: ViewShaders.words(bench_shader_cubemapFragment())
    case .eac: ViewShaders.words(bench_shader_eacFragment())
    case .fisheye: ViewShaders.words(bench_shader_fisheyeFragment())
    case .planet: ViewShaders.words(bench_shader_planetFragment())
    }
  }

  /// SPIR-V words.
  var compute: [UInt32] {
    switch self {
    case .flat: ViewShaders.words(bench_shader_flatCompute())
    case .equirectangular: ViewShaders.words(bench_shader_equirectangularCompute())
    case .part: ViewShaders.words(bench_shader_partCompute())
    case .cubemap: ViewShaders.words(bench_shader_cubemapCompute())
    case .eac: ViewShaders.words(bench_shader_eacCompute())
    case .fisheye: ViewShaders.words(bench_shader_fisheyeCompute())
    case .planet: ViewShaders.words(bench_shader_planetCompute())
    }
  }
}
