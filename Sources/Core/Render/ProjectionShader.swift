/// The shaders of `Shaders/projection_<name>.glsl`. Projections that differ in their lens only share them.
enum ProjectionShader: Hashable {
  case flat, equirectangular, part, cubemap, eac, fisheye, planet

  /// SPIR-V words.
  var fragment: [UInt32] {
    switch self {
    case .flat: Shaders.flatFragment
    case .equirectangular: Shaders.equirectangularFragment
    case .part: Shaders.partFragment
    case .cubemap: Shaders.cubemapFragment
    case .eac: Shaders.eacFragment
    case .fisheye: Shaders.fisheyeFragment
    case .planet: Shaders.planetFragment
    }
  }

  /// SPIR-V words.
  var compute: [UInt32] {
    switch self {
    case .flat: Shaders.flatCompute
    case .equirectangular: Shaders.equirectangularCompute
    case .part: Shaders.partCompute
    case .cubemap: Shaders.cubemapCompute
    case .eac: Shaders.eacCompute
    case .fisheye: Shaders.fisheyeCompute
    case .planet: Shaders.planetCompute
    }
  }
}
