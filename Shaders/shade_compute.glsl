// The end of the compute shader: each invocation colours a block of 2×2 pixels. Luma is read where each
// pixel looks, chroma once, where the block's middle looks, unless each pixel has its own.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 4, rgba8) uniform writeonly image2D target;

void blockAt(vec2 middle, out vec2 at[4], out bool isInside[4], out vec2 middleAt) {
  if (isShortcutTaken) {
    blockShortcut(middle, at, middleAt);
    for (int i = 0; i < 4; i++) isInside[i] = true;
    return;
  }
  pictureAt(middle, middleAt);
  for (int i = 0; i < 4; i++) isInside[i] = pictureAt(middle + blockOffset[i], at[i]);
}

void main() {
  ivec2 corner = ivec2(gl_GlobalInvocationID.xy) * 2;
  ivec2 size = ivec2(view.region.zw);
  vec2 at[4];
  bool isInside[4];
  vec2 middleAt;
  blockAt(vec2(corner + 1), at, isInside, middleAt);
  vec2 chroma = isChromaPerPixel ? vec2(0.0) : chromaAt(middleAt);
  for (int i = 0; i < 4; i++) {
    // Beyond ±180° samplers go round luma; chroma of an odd width is a little wider than that.
    if (isChromaPerPixel) chroma = chromaAt(horizontalEdge == edgeIsSamplers ? vec2(fract(at[i].x), at[i].y) : at[i]);
    vec3 color = isInside[i] ? colorOf(lumaAt(at[i]), chroma) : vec3(0.0);
    ivec2 pixel = corner + ivec2(i & 1, i >> 1);
    if (all(lessThan(pixel, size))) imageStore(target, ivec2(view.region.xy) + pixel, vec4(color, 1.0));
  }
}
