/// `projection` in `Shaders/view.glsl`, a specialisation constant of all shaders of views. Projections that differ in their lens only share
/// one.
enum ProjectionShader: UInt32 {
  case flat, equirectangular, part, cubemap, eac, fisheye, planet
}
