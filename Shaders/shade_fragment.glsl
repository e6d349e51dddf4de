// The end of the fragment shader: where a pixel looks (pictureAt) becomes its colour.
layout(location = 0) out vec4 color;

void main() {
  vec2 at;
  bool isInside = pictureAt(gl_FragCoord.xy - view.region.xy, at);
  color = vec4(isInside ? colorAt(at) : vec3(0.0), 1.0);
}
