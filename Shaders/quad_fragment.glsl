// How much of a pixel an item of the canvas covers, and with what colour: premultiplied.
// The meaning of the four values is that of `Quad` in Sources/Core/GPU/Draw/Quad.swift.
layout(location = 0) flat in vec4 frame;
layout(location = 1) flat in vec4 fill;
layout(location = 2) flat in vec4 source;
layout(location = 3) flat in vec4 shape;
layout(location = 0) out vec4 color;

layout(binding = 0) uniform sampler2D coverages;
layout(binding = 1) uniform sampler2D pictures;

// The share of the pixel around `at` that lies in a box: exact.
float boxCoverage(vec2 at, vec4 box) {
  vec2 inside = clamp(min(at + 0.5, box.zw) - max(at - 0.5, box.xy), 0.0, 1.0);
  return inside.x * inside.y;
}

// From the edge of a box with round corners, outwards.
float roundedDistance(vec2 at, vec4 box, float radius) {
  vec2 beyond = abs(at - (box.xy + box.zw) * 0.5) - (box.zw - box.xy) * 0.5 + radius;
  return length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - radius;
}

float covered(float distance) { return clamp(0.5 - distance, 0.0, 1.0); }

float rectangleCoverage(vec2 at, float radius, float border) {
  if (radius > 0.0) {
    float distance = roundedDistance(at, frame, radius);
    return covered(distance) - (border > 0.0 ? covered(distance + border) : 0.0);
  }
  vec4 inner = frame + vec4(border, border, -border, -border);
  return boxCoverage(at, frame) - (border > 0.0 ? boxCoverage(at, inner) : 0.0);
}

// A line with round ends from source.xy to source.zw.
float lineCoverage(vec2 at, float halfWidth) {
  vec2 along = source.zw - source.xy;
  float share = clamp(dot(at - source.xy, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
  return covered(length(at - source.xy - share * along) - halfWidth);
}

// Of a triangle's edge: how far its nearest point is, and on which side of it the point lies: negative inside.
vec2 edgeDistances(vec2 at, vec2 from, vec2 to) {
  vec2 along = to - from;
  vec2 beyond = at - from;
  float share = clamp(dot(beyond, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
  return vec2(length(beyond - share * along), dot(beyond, vec2(along.y, -along.x)));
}

// The corners are source.xy, source.zw and shape.yz, clockwise on the screen.
float triangleCoverage(vec2 at) {
  vec2 first = edgeDistances(at, source.xy, source.zw);
  vec2 second = edgeDistances(at, source.zw, shape.yz);
  vec2 third = edgeDistances(at, shape.yz, source.xy);
  float nearest = min(first.x, min(second.x, third.x));
  bool isInside = max(first.y, max(second.y, third.y)) < 0.0;
  return covered(isInside ? -nearest : nearest);
}

vec4 texel(ivec2 at) {
  vec4 value = texelFetch(pictures, clamp(at, ivec2(source.xy), ivec2(source.zw) - 1), 0);
  return vec4(value.rgb * value.a, value.a);
}

// Bilinear between the four nearest texels, without texels of neighbours in the atlas; premultiplied.
vec4 pictureAt(vec2 at) {
  vec2 place = (at - frame.xy) / (frame.zw - frame.xy) * (source.zw - source.xy) + source.xy - 0.5;
  ivec2 first = ivec2(floor(place));
  vec2 share = place - floor(place);
  vec4 above = mix(texel(first), texel(first + ivec2(1, 0)), share.x);
  vec4 below = mix(texel(first + ivec2(0, 1)), texel(first + ivec2(1, 1)), share.x);
  return mix(above, below, share.y);
}

void main() {
  vec2 at = gl_FragCoord.xy;
  int kind = int(shape.x);
  if (kind == 2) {
    color = pictureAt(at) * (fill.a * rectangleCoverage(at, shape.y, 0.0));
    return;
  }
  float coverage;
  if (kind == 0) coverage = rectangleCoverage(at, shape.y, shape.z);
  else if (kind == 1) coverage = texelFetch(coverages, ivec2(source.xy + floor(at - frame.xy)), 0).r;
  else if (kind == 3) coverage = lineCoverage(at, shape.y);
  else coverage = triangleCoverage(at);
  color = vec4(fill.rgb, 1.0) * (fill.a * coverage);
}
