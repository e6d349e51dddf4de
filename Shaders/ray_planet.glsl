// A camera that stands on the sphere, opposite to where it looks: stereographic. With d the ray, d · forward = 1, its second
// meeting with the sphere lies at 2 d / (d · d) - forward, seen from the sphere's middle.
vec3 rayThrough(vec2 pixel) {
  return view.rayOrigin.xyz + pixel.x * view.rayPerX.xyz + pixel.y * view.rayPerY.xyz;
}

vec3 directionSeen(vec2 pixel) {
  vec3 ray = rayThrough(pixel);
  return 2.0 / dot(ray, ray) * ray - view.forward.xyz;
}

// Radians between the directions that two neighbouring pixels see: the derivative of 2 atan(r), the same all around.
float anglePerPixel(vec2 pixel) {
  vec3 ray = rayThrough(pixel);
  return 2.0 * length(view.rayPerY.xyz) / dot(ray, ray);
}
