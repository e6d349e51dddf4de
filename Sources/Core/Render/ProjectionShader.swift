/// `projection` in `Shaders/view.glsl`, a specialisation constant of all shaders of views. Projections that differ only in their lens
/// share a case.
enum ProjectionShader: UInt32 {
  case flat, equirectangular, part, cubemap, eac, fisheye, planet
}
