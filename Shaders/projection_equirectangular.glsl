// A sphere around the camera, one ray per pixel: longitude runs along u, latitude along v.
bool equirectangularAt(vec2 pixel, out vec2 at) {
  vec3 ray = rayThrough(pixel);
  // atan, not asin: drivers approximate asin to a tenth of a texel.
  at = placeOf(atan(ray.x, ray.z), atan(ray.y, length(ray.xz)));
  return true;
}

// Arc tangent for arguments up to 1/16, with an error below 2e-7, a float's precision of an angle.
float smallAngle(float tangent) {
  return tangent - tangent * tangent * tangent / 3.0;
}

// Angles of one ray, through the middle of a block, and from it to its four pixels by the tangents of the differences:
// tan(a - b) = cross / dot, in the horizontal plane for longitude, in the vertical one for latitude.
void blockShortcut(vec2 middle, out vec2 at[4], out vec2 middleAt) {
  vec3 ray = rayThrough(middle);
  float across = length(ray.xz);
  float longitude = atan(ray.x, ray.z);
  float latitude = atan(ray.y, across);
  middleAt = placeOf(longitude, latitude);
  for (int i = 0; i < 4; i++) {
    vec3 step = blockOffset[i].x * view.rayPerX.xyz + blockOffset[i].y * view.rayPerY.xyz;
    vec3 other = ray + step;
    float otherAcross = length(other.xz);
    float turn = (step.x * ray.z - step.z * ray.x) / dot(other.xz, ray.xz);
    float lift = (other.y * across - ray.y * otherAcross) / (otherAcross * across + other.y * ray.y);
    at[i] = placeOf(longitude + smallAngle(turn), latitude + smallAngle(lift));
  }
}
