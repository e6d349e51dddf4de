// A place in the picture → its colour. Coordinates are normalised to the luma plane of the whole picture.

// What the sampler makes of a place. The arithmetic before the mixing is the sampler's own, so that both mean the same four texels: it goes
// round or stops at the least texel, and has nothing to do at the others, because no place lies beyond their centres.
vec4 bilinear(sampler2D plane, vec2 at) {
  if (!mixesTexels) return texture(plane, at);
  bool goesRound = horizontalEdge == edgeIsSamplers;
  vec2 texel = vec2(goesRound ? fract(at.x) : at.x, at.y) * vec2(textureSize(plane, 0)) - 0.5;
  vec2 part = fract(vec2(goesRound ? texel.x : max(texel.x, 0.0), texel.y));
  vec4 first = textureGather(plane, at, 0);
  vec4 second = textureGather(plane, at, 1);
  vec2 above = mix(vec2(first.w, second.w), vec2(first.z, second.z), part.x);
  vec2 below = mix(vec2(first.x, second.x), vec2(first.y, second.y), part.x);
  return vec4(mix(above, below, part.y), 0.0, 1.0);
}

// The seam of a sphere that fills only a part of the texture: between the part's last and first column lies one texel,
// as between any two neighbours.
vec4 sampleWrapped(sampler2D plane, vec2 at, vec4 edge) {
  float texel = 1.0 / float(textureSize(plane, 0).x);
  float inside = clamp(at.x, edge.x, edge.z);
  vec4 here = bilinear(plane, vec2(inside, at.y));
  float beyond = abs(at.x - inside) / texel;
  if (beyond == 0.0) return here;
  float opposite = at.x < inside ? edge.z : edge.x;
  return mix(here, bilinear(plane, vec2(opposite, at.y)), min(beyond, 1.0));
}

vec4 samplePlane(sampler2D plane, vec2 at, vec4 edge) {
  vec2 kept = vec2(at.x, clamp(at.y, edge.y, edge.w));
  if (horizontalEdge == edgeWraps) return sampleWrapped(plane, kept, edge);
  if (horizontalEdge == edgeStops) kept.x = clamp(kept.x, edge.x, edge.z);
  return bilinear(plane, kept);
}

// Centres of the outermost texels, in one plane, of the face that a place lies in: beyond them lies another face, which need
// not be its neighbour.
vec4 edgeAround(vec2 at, sampler2D plane, vec4 edge) {
  if (!hasFaces()) return edge;
  vec2 size = view.eye.zw / faceGrid();
  vec2 corner = view.eye.xy + floor((at - view.eye.xy) / size) * size;
  vec2 halfTexel = 0.5 / vec2(textureSize(plane, 0));
  return vec4(corner + halfTexel, corner + size - halfTexel);
}

float lumaAt(vec2 at) {
  return samplePlane(lumaPlane, at, edgeAround(at, lumaPlane, view.lumaEdge)).r;
}

vec2 chromaAt(vec2 at) {
  if (chromaLayout == chromaIsMissing) return vec2(0.0);
  vec2 chromaPlace = at * view.chromaMap.xy + view.chromaMap.zw;
  vec4 edge = edgeAround(at, cbPlane, view.chromaEdge);
  vec4 first = samplePlane(cbPlane, chromaPlace, edge);
  return vec2(
    first.r, chromaLayout == chromaIsInterleaved ? first.g
    : samplePlane(crPlane, chromaPlace, edge).r);
}

vec3 colorOf(float luma, vec2 chroma) {
  vec3 code = vec3(luma, chroma);
  return converted(vec3(
    dot(view.red.xyz, code) + view.red.w,
    dot(view.green.xyz, code) + view.green.w,
    dot(view.blue.xyz, code) + view.blue.w));
}

vec3 colorAt(vec2 at) {
  return colorOf(lumaAt(at), chromaAt(at));
}
