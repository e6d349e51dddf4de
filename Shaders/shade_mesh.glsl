// A mesh's fragment: the vertices give its place in the picture.
layout(location = 0) in vec2 inEye;
layout(location = 0) out vec4 color;

void main() {
  color = vec4(colorAt(view.eye.xy + inEye * view.eye.zw), 1.0);
}
