// The picture as it is, turned and letterboxed. False outside of it.
bool flatAt(vec2 pixel, out vec2 at) {
  vec3 place = vec3(pixel, 1.0);
  vec2 inEye = vec2(dot(view.flatU.xyz, place), dot(view.flatV.xyz, place));
  at = view.eye.xy + inEye * view.eye.zw;
  return all(greaterThanEqual(inEye, vec2(0.0))) && all(lessThan(inEye, vec2(1.0)));
}
