// Where a pixel looks in the picture, and whether the picture reaches so far: one file and one row of `pictureAt` for each projection. Those made of
// faces also have rows below. The projection is a constant, so that a shader has the code of one.
#include "ray.glsl"
#include "sphere.glsl"
#include "cube.glsl"
#include "projection_flat.glsl"
#include "projection_equirectangular.glsl"
#include "projection_part.glsl"
#include "projection_cubemap.glsl"
#include "projection_eac.glsl"
#include "projection_fisheye.glsl"
#include "projection_planet.glsl"

bool pictureAt(vec2 pixel, out vec2 at) {
  if (projection == projectionEquirectangular) return equirectangularAt(pixel, at);
  if (projection == projectionPart) return partAt(pixel, at);
  if (projection == projectionCubemap) return cubemapAt(pixel, at);
  if (projection == projectionEac) return eacAt(pixel, at);
  if (projection == projectionFisheye) return fisheyeAt(pixel, at);
  if (projection == projectionPlanet) return planetAt(pixel, at);
  return flatAt(pixel, at);
}

// The picture is made of faces, and nothing is read across their edges.
bool hasFaces() {
  return projection == projectionCubemap || projection == projectionEac;
}

// Columns and rows of those faces.
vec2 faceGrid() {
  return projection == projectionEac ? eacGrid() : cubemapGrid();
}
