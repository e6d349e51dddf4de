// The least that drawing a picture costs: bilinear samples for each pixel, from different parts of the plane, and one write.
#version 450
layout(set = 0, binding = 0) uniform sampler2D plane;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(constant_id = 0) const int samples = 1;
// How a sample is made: by the sampler, by the sampler with a level of detail, of four gathered texels, of four texels read one by one.
layout(constant_id = 1) const int way = 0;

float between(vec4 texels, vec2 part) {
  return mix(mix(texels.w, texels.z, part.x), mix(texels.x, texels.y, part.x), part.y);
}

float each(ivec2 at) {
  return texelFetch(plane, at, 0).r;
}

float look(vec2 at) {
  if (way == 0) return texture(plane, at).r;
  if (way == 1) return textureLod(plane, at, 0).r;
  ivec2 size = textureSize(plane, 0);
  vec2 texel = max(at * vec2(size) - 0.5, 0.0);
  if (way == 2) return between(textureGather(plane, at), fract(texel));
  ivec2 first = min(ivec2(texel), size - 2);
  vec4 texels = vec4(each(first + ivec2(0, 1)), each(first + 1), each(first + ivec2(1, 0)), each(first));
  return between(texels, texel - vec2(first));
}

void main() {
  float sum = look(place);
  for (int i = 1; i < samples; i++) sum += look(fract(place + vec2(0, i * 0.25)));
  color = vec4(sum);
}
