// The six faces of a cube, beside and below each other. Lens: columns and rows.
vec2 cubemapGrid() {
  return view.lens.xy;
}

bool cubemapAt(vec2 pixel, out vec2 at) {
  vec2 on;
  int face = cubeFace(rayThrough(pixel), on);
  int columns = int(view.lens.x);
  vec2 cell = vec2(face % columns, face / columns);
  // Clamped before the edge, so that rounding cannot select the next face's texel; filtering ends half a texel before it.
  vec2 inFace = clamp(0.5 + 0.5 * on, 1e-5, 1.0 - 1e-5);
  at = view.eye.xy + (cell + inFace) / view.lens.xy * view.eye.zw;
  return true;
}
