// A place in the picture → its colour. Coordinates are normalised to the luma plane of the whole picture.

// The seam of a sphere that fills only a part of the texture: between the part's last and first column lies one texel,
// as between any two neighbours.
vec4 sampleWrapped(sampler2D plane, vec2 at, vec4 edge) {
  float texel = 1.0 / float(textureSize(plane, 0).x);
  float inside = clamp(at.x, edge.x, edge.z);
  vec4 here = texture(plane, vec2(inside, at.y));
  float beyond = abs(at.x - inside) / texel;
  if (beyond == 0.0) return here;
  float opposite = at.x < inside ? edge.z : edge.x;
  return mix(here, texture(plane, vec2(opposite, at.y)), min(beyond, 1.0));
}

vec4 samplePlane(sampler2D plane, vec2 at, vec4 edge) {
  vec2 kept = vec2(at.x, clamp(at.y, edge.y, edge.w));
  if (horizontalEdge == edgeWraps) return sampleWrapped(plane, kept, edge);
  if (horizontalEdge == edgeStops) kept.x = clamp(kept.x, edge.x, edge.z);
  return texture(plane, kept);
}

vec3 colorAt(vec2 at) {
  vec2 chromaAt = at * view.chromaMap.xy + view.chromaMap.zw;
  float y = samplePlane(lumaPlane, at, view.lumaEdge).r;
  vec4 first = samplePlane(cbPlane, chromaAt, view.chromaEdge);
  float cr = isChromaInterleaved != 0 ? first.g : samplePlane(crPlane, chromaAt, view.chromaEdge).r;
  vec3 code = vec3(y, first.r, cr);
  return vec3(
    dot(view.red.xyz, code) + view.red.w,
    dot(view.green.xyz, code) + view.green.w,
    dot(view.blue.xyz, code) + view.blue.w);
}
