// Meridians and parallels every 15°, the equator and the prime meridian stronger.

layout(location = 0) out vec4 color;

const float degree = 57.29577951308232;

// How much of a line through zero, one and a half pixels wide, covers a pixel that lies `degrees` off it.
float line(float degrees, float degreesPerPixel) {
  return clamp(1.25 - abs(degrees) / degreesPerPixel, 0.0, 1.0);
}

float toNearest(float degrees, float spacing) {
  return degrees - spacing * round(degrees / spacing);
}

void main() {
  vec2 pixel = gl_FragCoord.xy - view.region.xy;
  vec3 ray = directionSeen(pixel);
  float horizontal = length(ray.xz);
  float longitude = atan(ray.x, ray.z) * degree;
  float latitude = atan(ray.y, horizontal) * degree;
  float perPixel = anglePerPixel(pixel) * degree;
  float perPixelAround = perPixel * length(ray) / max(horizontal, 1e-6);
  float fine = max(
    line(toNearest(latitude, 15.0), perPixel),
    abs(latitude) < 80.0 ? line(toNearest(longitude, 15.0), perPixelAround) : 0.0);
  float strong = max(line(latitude, perPixel), line(longitude, perPixelAround));
  color = strong > 0.0 ? vec4(1.0, 0.85, 0.2, strong * 0.9) : vec4(1.0, 1.0, 1.0, fine * 0.6);
}
