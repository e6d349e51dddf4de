// The face of a cube around the camera that a ray meets, counted right, left, up, down, front, back, and where on it: -1 … 1
// to the right and down, as seen from inside the cube; up and down as seen by a viewer who faces the front.
int cubeFace(vec3 ray, out vec2 on) {
  vec3 size = abs(ray);
  if (size.x >= size.y && size.x >= size.z) {
    on = vec2(ray.x > 0.0 ? -ray.z : ray.z, -ray.y) / size.x;
    return ray.x > 0.0 ? 0 : 1;
  }
  if (size.y >= size.z) {
    on = vec2(ray.x, ray.y > 0.0 ? ray.z : -ray.z) / size.y;
    return ray.y > 0.0 ? 2 : 3;
  }
  on = vec2(ray.z > 0.0 ? ray.x : -ray.x, -ray.y) / size.z;
  return ray.z > 0.0 ? 4 : 5;
}
