// A part of an equirectangular picture. Lens: the part's left, top, width and height as fractions of the whole sphere's
// picture.
bool partAt(vec2 pixel, out vec2 at) {
  vec3 ray = rayThrough(pixel);
  vec2 inSphere = vec2(
    0.5 + 0.5 * inversePi * atan(ray.x, ray.z), 0.5 - inversePi * atan(ray.y, length(ray.xz)));
  vec2 fromMiddle = inSphere - view.lens.xy - 0.5 * view.lens.zw;
  // The part may lie across ±180°.
  fromMiddle.x -= floor(fromMiddle.x + 0.5);
  vec2 inEye = 0.5 + fromMiddle / view.lens.zw;
  at = view.eye.xy + inEye * view.eye.zw;
  return all(lessThanEqual(abs(fromMiddle), 0.5 * view.lens.zw));
}
