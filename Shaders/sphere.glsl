// Longitude and latitude → the place in an equirectangular picture.
const float inversePi = 0.318309886183790672;

vec2 placeOf(float longitude, float latitude) {
  vec2 inEye = vec2(0.5 + 0.5 * inversePi * longitude, 0.5 - inversePi * latitude);
  // A block across ±180° continues beyond it; samplers wrap that, except inside half a picture.
  if (horizontalEdge == edgeWraps) inEye.x -= floor(inEye.x);
  return view.eye.xy + inEye * view.eye.zw;
}
