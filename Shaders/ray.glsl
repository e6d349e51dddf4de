// A camera in the sphere's middle: every pixel sees along its own ray.
vec3 rayThrough(vec2 pixel) {
  return view.rayOrigin.xyz + pixel.x * view.rayPerX.xyz + pixel.y * view.rayPerY.xyz;
}

vec3 directionSeen(vec2 pixel) {
  return rayThrough(pixel);
}

// Radians between the directions that two neighbouring pixels see, about.
float anglePerPixel(vec2 pixel) {
  return length(view.rayPerY.xyz) / length(rayThrough(pixel));
}
