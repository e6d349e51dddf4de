// An equirectangular picture, seen by a camera that stands on its sphere.
bool planetAt(vec2 pixel, out vec2 at) {
  vec3 direction = directionSeen(pixel);
  at = placeOf(atan(direction.x, direction.z), atan(direction.y, length(direction.xz)));
  return true;
}
