// Two triangles over every pixel that an item of the canvas touches.
layout(location = 0) in vec4 frame;
layout(location = 1) in vec4 fill;
layout(location = 2) in vec4 source;
layout(location = 3) in vec4 shape;
layout(location = 0) flat out vec4 itemFrame;
layout(location = 1) flat out vec4 itemFill;
layout(location = 2) flat out vec4 itemSource;
layout(location = 3) flat out vec4 itemShape;

layout(push_constant) uniform Target { vec2 size; } target;

void main() {
  vec2 corner = vec2(gl_VertexIndex % 2, (gl_VertexIndex + 1) / 3 % 2);
  vec2 pixel = mix(floor(frame.xy), ceil(frame.zw), corner);
  gl_Position = vec4(pixel / target.size * 2.0 - 1.0, 0.0, 1.0);
  itemFrame = frame;
  itemFill = fill;
  itemSource = source;
  itemShape = shape;
}
