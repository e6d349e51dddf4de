// The six faces of a cube, whose columns and rows stand for equal angles: left, front, right above down, back, up, the lower
// three turned so that each row is one strip of neighbours. Lens: the padding around each strip, as a fraction.
const float twoByPi = 0.636619772367581343;

// Filtering may go from face to face in a strip, but not from strip to strip.
vec2 eacGrid() {
  return vec2(1.0, 2.0);
}

bool eacAt(vec2 pixel, out vec2 at) {
  const vec2 cells[6] = vec2[](
    vec2(2.0, 0.0), vec2(0.0, 0.0), vec2(2.0, 1.0), vec2(0.0, 1.0), vec2(1.0, 0.0), vec2(1.0, 1.0));
  vec2 on;
  int face = cubeFace(rayThrough(pixel), on);
  if (face == 2 || face == 3) on = vec2(on.y, -on.x);
  if (face == 5) on = vec2(-on.y, on.x);
  vec2 inFace = 0.5 + twoByPi * atan(on);
  vec2 padding = view.lens.xy;
  vec2 inEye = vec2(
    padding.x + (cells[face].x + inFace.x) * (1.0 - 2.0 * padding.x) / 3.0,
    padding.y + 0.5 * cells[face].y + inFace.y * (0.5 - 2.0 * padding.y));
  at = view.eye.xy + inEye * view.eye.zw;
  return true;
}
