// What one lens sees: angles from its axis are distances from the picture's middle. Lens: u and v a radian, the greatest
// angle.
bool fisheyeAt(vec2 pixel, out vec2 at) {
  vec3 ray = rayThrough(pixel);
  float across = length(ray.xy);
  float angle = atan(across, ray.z);
  // Beyond the rim, where a block's middle may lie: the nearest place on it.
  vec2 inEye = 0.5 + min(angle, view.lens.z) / max(across, 1e-20) * vec2(ray.x, -ray.y) * view.lens.xy;
  at = view.eye.xy + inEye * view.eye.zw;
  return angle <= view.lens.z;
}
