// The least that drawing a picture costs: bilinear fetches for each pixel, from different parts of the plane, and one write.
#version 450
layout(set = 0, binding = 0) uniform sampler2D plane;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(constant_id = 0) const int fetches = 1;

void main() {
  vec4 sum = texture(plane, place);
  for (int i = 1; i < fetches; i++) sum += texture(plane, fract(place + vec2(0, i * 0.25)));
  color = sum;
}
