// A vertex of the sphere's mesh → where the camera sees it. The camera stands in its middle, so nothing hides anything.
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 placeInEye;
layout(location = 0) out vec2 inEye;

void main() {
  // rayPerX is the camera's own x axis times what a pixel is wide at distance 1; rayPerY likewise, downwards.
  vec2 inPixels = vec2(dot(position, view.rayPerX.xyz), dot(position, view.rayPerY.xyz));
  float distance = dot(position, view.forward.xyz);
  vec2 pixelSquare = vec2(dot(view.rayPerX.xyz, view.rayPerX.xyz), dot(view.rayPerY.xyz, view.rayPerY.xyz));
  // From pixels at distance 1 to the view, -1 … 1. Depth: nothing nearer than a thousandth is seen.
  gl_Position = vec4(2.0 * inPixels / (pixelSquare * view.region.zw), distance - 1e-3, distance);
  inEye = placeInEye;
}
