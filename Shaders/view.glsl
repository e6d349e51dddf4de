// The uniforms of view and picture for every shader; filled in by Render's ViewUniforms, in this order.
layout(std140, set = 0, binding = 0) uniform View {
  vec4 rayOrigin;   // ray of the target's top-left corner; x right, y up, z forward
  vec4 rayPerX;     // added per pixel to the right
  vec4 rayPerY;     // added per pixel down
  vec4 flatU;       // picture u = dot(flatU.xyz, vec3(x, y, 1)); v likewise
  vec4 flatV;
  vec4 eye;         // this eye's part of the picture: offset u, v, size u, v
  vec4 lumaEdge;    // centres of the part's outermost luma texels: least u, v, greatest u, v
  vec4 chromaEdge;  // the same for chroma
  vec4 chromaMap;   // chroma coordinate = luma coordinate * xy + zw: siting, and odd sizes
  vec4 red;         // red = dot(red.xyz, (Y, Cb, Cr)) + red.w
  vec4 green;
  vec4 blue;
  vec4 region;      // this view's part of the target in pixels: left, top, width, height
  vec4 forward;     // the ray through the view's middle, of length 1
  vec4 lens;        // the projection's own parameters: see its file
  vec4 workingRed;  // linear light of the source → that of the primaries in which tones are mapped, by rows
  vec4 workingGreen;
  vec4 workingBlue;
  vec4 displayRed;  // → that of the display
  vec4 displayGreen;
  vec4 displayBlue;
  vec4 tone;        // PQ's 10,000 cd/m² over the peak, BT.2446's rho of HDR and of SDR, exponent of curvePower
} view;

layout(set = 0, binding = 1) uniform sampler2D lumaPlane;
layout(set = 0, binding = 2) uniform sampler2D cbPlane;
layout(set = 0, binding = 3) uniform sampler2D crPlane;

// Where Cb and Cr are.
const uint chromaIsPlanar = 0;
const uint chromaIsInterleaved = 1;  // they alternate in one plane
const uint chromaIsMissing = 2;
layout(constant_id = 0) const uint chromaLayout = chromaIsPlanar;
// Sampling across the left and right edge of the eye's part. The sampler can wrap the whole picture only; inside half of a
// side-by-side picture the shader wraps.
const uint edgeIsSamplers = 0;
const uint edgeWraps = 1;
const uint edgeStops = 2;
layout(constant_id = 1) const uint horizontalEdge = edgeIsSamplers;

// Compute shaders: the pixels of a block are reached from its middle. The caller knows that no block is so close to a pole
// that the angles between them are large.
layout(constant_id = 2) const bool isShortcutTaken = false;
// Compute shaders: as many chroma samples as luma samples, at least in one direction, so that each pixel reads its own.
layout(constant_id = 3) const bool isChromaPerPixel = false;

// The transfer function to invert: cases of Render's TransferFunction.
const uint curveUnknown = 0;
const uint curvePower = 1;
const uint curveSRGB = 2;
const uint curveLinear = 3;
const uint curvePQ = 4;
const uint curveHLG = 5;
layout(constant_id = 4) const uint colorCurve = curveUnknown;

// Four texels are gathered and mixed here, not by the sampler: quicker on a CPU.
layout(constant_id = 5) const bool mixesTexels = false;
// How directions lie in the picture.
const uint projectionFlat = 0;
const uint projectionEquirectangular = 1;
const uint projectionPart = 2;
const uint projectionCubemap = 3;
const uint projectionEac = 4;
const uint projectionFisheye = 5;
const uint projectionPlanet = 6;
// Scripts/compile-shaders defines it: shaders with the code of one projection are quicker to load than one with all.
const uint projection = PROJECTION;
// From a block's middle to the centres of its pixels, in pixels.
const vec2 blockOffset[4] = vec2[](vec2(-0.5, -0.5), vec2(0.5, -0.5), vec2(-0.5, 0.5), vec2(0.5, 0.5));
