// R'G'B' after the matrix → R'G'B' for the display. Twin: Render's ColorConversion, which gives the sources.

// SMPTE ST 2084.
vec3 lightOfPQ(vec3 value) {
  const float m1 = 2610.0 / 16384.0, m2 = 2523.0 / 32.0;
  const float c1 = 3424.0 / 4096.0, c2 = 2413.0 / 128.0, c3 = 2392.0 / 128.0;
  vec3 root = pow(value, vec3(1.0 / m2));
  return pow(max(root - c1, 0.0) / (c2 - c3 * root), vec3(1.0 / m1));
}

// ARIB STD-B67: light of the scene.
vec3 lightOfHLG(vec3 value) {
  const float a = 0.17883277, b = 0.28466892, c = 0.55991073;
  return mix((exp((value - c) / a) + b) / 12.0, value * value / 3.0, lessThanEqual(value, vec3(0.5)));
}

// IEC 61966-2-1, and back.
vec3 lightOfSRGB(vec3 value) {
  return mix(pow((value + 0.055) / 1.055, vec3(2.4)), value / 12.92, lessThanEqual(value, vec3(0.04045)));
}

vec3 codeOfSRGB(vec3 light) {
  return mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, 12.92 * light, lessThanEqual(light, vec3(0.0031308)));
}

vec3 times(vec4 first, vec4 second, vec4 third, vec3 light) {
  return vec3(dot(first.xyz, light), dot(second.xyz, light), dot(third.xyz, light));
}

const vec3 lumaOf2020 = vec3(0.2627, 0.6780, 0.0593);

float knee(float perceptual) {
  if (perceptual <= 0.7399) return 1.0770 * perceptual;
  if (perceptual < 0.9909) return -1.1510 * perceptual * perceptual + 2.7811 * perceptual - 0.6302;
  return 0.5 * perceptual + 0.5;
}

// ITU-R BT.2446-1, method A: linear BT.2020, 1 being the peak of either display.
vec3 toneMapped(vec3 light) {
  vec3 root = pow(light, vec3(1.0 / 2.4));
  float luma = dot(lumaOf2020, root);
  if (luma <= 1e-5) return vec3(0.0);
  float hdrBase = view.tone.y, sdrBase = view.tone.z;
  float mapped = (pow(sdrBase, knee(log(1.0 + (hdrBase - 1.0) * luma) / log(hdrBase))) - 1.0) / (sdrBase - 1.0);
  float share = mapped / (1.1 * luma);
  float cb = share * (root.b - luma) / 1.8814;
  float cr = share * (root.r - luma) / 1.4746;
  float corrected = mapped - max(0.1 * cr, 0.0);
  float red = corrected + 1.4746 * cr, blue = corrected + 1.8814 * cb;
  float green = (corrected - lumaOf2020.r * red - lumaOf2020.b * blue) / lumaOf2020.g;
  return pow(clamp(vec3(red, green, blue), 0.0, 1.0), vec3(2.4));
}

vec3 lightOf(vec3 value) {
  switch (colorCurve) {
    case curvePower: return pow(value, vec3(view.tone.w));
    case curveSRGB: return lightOfSRGB(value);
    case curvePQ: return lightOfPQ(value);
    case curveHLG: return lightOfHLG(value);
    default: return value;
  }
}

vec3 codeOf(vec3 light) {
  if (colorCurve == curveSRGB) return codeOfSRGB(light);
  return pow(light, vec3(1.0 / (colorCurve == curvePower ? view.tone.w : 2.4)));
}

vec3 converted(vec3 color) {
  if (colorCurve == curveUnknown) return color;
  vec3 light = lightOf(clamp(color, 0.0, 1.0));
  if (colorCurve == curvePQ || colorCurve == curveHLG) {
    light = times(view.workingRed, view.workingGreen, view.workingBlue, light);
    // HLG: scene light to the light of a 1000 cd/m² display. PQ: fractions of the mastering display's peak.
    light *= colorCurve == curveHLG ? pow(max(dot(lumaOf2020, light), 0.0), 0.2) : view.tone.x;
    light = toneMapped(clamp(light, 0.0, 1.0));
  }
  return codeOf(clamp(times(view.displayRed, view.displayGreen, view.displayBlue, light), 0.0, 1.0));
}
