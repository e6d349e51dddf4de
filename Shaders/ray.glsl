// What a pixel sees. Rays are not normalised.
vec3 rayThrough(vec2 pixel) {
  return view.rayOrigin.xyz + pixel.x * view.rayPerX.xyz + pixel.y * view.rayPerY.xyz;
}

// A camera in the sphere's middle sees along its rays. One that stands on the sphere, opposite to where it looks, sees stereographically: with
// d the ray, d · forward = 1, its second meeting with the sphere lies at 2 d / (d · d) - forward, seen from the sphere's middle.
vec3 directionSeen(vec2 pixel) {
  vec3 ray = rayThrough(pixel);
  return projection == projectionPlanet ? 2.0 / dot(ray, ray) * ray - view.forward.xyz : ray;
}

// Radians between the directions that two neighbouring pixels see, about; on the sphere the derivative of 2 atan(r), the same all around.
float anglePerPixel(vec2 pixel) {
  vec3 ray = rayThrough(pixel);
  return projection == projectionPlanet
    ? 2.0 * length(view.rayPerY.xyz) / dot(ray, ray) : length(view.rayPerY.xyz) / length(ray);
}
