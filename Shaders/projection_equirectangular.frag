#version 450
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

// A sphere around the camera, one ray per pixel: longitude runs along u, latitude along v.
const float inversePi = 0.318309886183790672;

bool pictureAt(vec2 pixel, out vec2 at) {
  vec3 ray = view.rayOrigin.xyz + pixel.x * view.rayPerX.xyz + pixel.y * view.rayPerY.xyz;
  float longitude = atan(ray.x, ray.z);
  // atan, not asin: drivers approximate asin to a tenth of a texel.
  float latitude = atan(ray.y, length(ray.xz));
  vec2 inEye = vec2(0.5 + 0.5 * inversePi * longitude, 0.5 - inversePi * latitude);
  at = view.eye.xy + inEye * view.eye.zw;
  return true;
}

#include "shade.glsl"
