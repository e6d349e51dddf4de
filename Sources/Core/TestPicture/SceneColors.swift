import Frames

/// Linear combinations of R', G', B' in [0, 1].
typealias Color = SIMD3<Float>

/// What the resting parts of the scene look like in a direction: sky with clouds, hills, fields. Seamless everywhere,
/// for it depends on the direction alone.
struct SceneColors {
  private let noise: ValueNoise

  init(seed: UInt64) {
    noise = ValueNoise(seed: seed)
  }

  /// Sine of the hills' elevation where the horizon has this direction, a unit vector with y = 0.
  func skyline(_ direction: SIMD3<Float>) -> Float {
    let rough = noise.fractal(direction * 5, octaves: 4)
    return max(0, (rough - 0.3) * 0.28)
  }

  /// `direction` is a unit vector: x right, y up, z ahead at longitude 0.
  func color(_ direction: SIMD3<Float>, skyline: Float) -> Color {
    if direction.y < 0 { return ground(direction) }
    return direction.y < skyline ? hills(direction, skyline: skyline) : sky(direction)
  }

  private func sky(_ direction: SIMD3<Float>) -> Color {
    let height = direction.y
    let pale = Color(0.80, 0.87, 0.93)
    let deep = Color(0.16, 0.36, 0.68)
    let air = mix(pale, deep, min(1, height * (1.8 - 0.8 * height)))
    // Clouds lie on a plane overhead, so that they shrink towards the horizon.
    let plane = direction * (2.2 / (height + 0.25))
    let density = smooth(0.46, 0.72, noise.fractal(plane, octaves: 5)) * smooth(0.02, 0.25, height)
    let shade = noise.fractal(plane * 2 + 9, octaves: 3)
    return mix(air, Color(0.97, 0.96, 0.95) * (0.78 + 0.3 * shade), min(density, 0.92))
  }

  private func hills(_ direction: SIMD3<Float>, skyline: Float) -> Color {
    let rock = noise.fractal(direction * 40, octaves: 4)
    let slope = Color(0.33, 0.40, 0.47) * (0.65 + 0.7 * rock)
    let snow = smooth(0.09, 0.14, direction.y + (rock - 0.5) * 0.08)
    return mix(mix(Color(0.60, 0.68, 0.74), slope, smooth(0, 0.06, direction.y)), Color(0.92, 0.94, 0.97), snow)
  }

  private func ground(_ direction: SIMD3<Float>) -> Color {
    let depth = -direction.y
    let x = direction.x / max(depth, 0.01)
    let z = direction.z / max(depth, 0.01)
    let grain = noise.fractal(SIMD3(x, z, 3) * 5, octaves: 5)
    let field = noise.cell(x * 0.55, z * 0.55)
    let crop = mix(Color(0.30, 0.42, 0.16), Color(0.64, 0.55, 0.26), field)
    let haze = smooth(0, 0.16, depth)
    return mix(Color(0.56, 0.63, 0.58), crop * (0.55 + 0.8 * grain), haze)
  }
}

/// Noise on a lattice of random values, interpolated; in [0, 1).
struct ValueNoise {
  private let salt: UInt32

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    salt = UInt32(truncatingIfNeeded: random.next())
  }

  /// Octaves of halving weight and doubling frequency, scaled to [0, 1).
  func fractal(_ place: SIMD3<Float>, octaves: Int) -> Float {
    var (sum, weight, total): (Float, Float, Float) = (0, 1, 0)
    var scaled = place
    for _ in 0..<octaves {
      sum += weight * at(scaled)
      total += weight
      weight *= 0.5
      scaled = scaled * 2.03 + 17.1
    }
    return sum / total
  }

  /// One random value for each unit square.
  func cell(_ x: Float, _ z: Float) -> Float {
    random(floor(x), floor(z), 77)
  }

  private func at(_ place: SIMD3<Float>) -> Float {
    let (x, y, z) = (floor(place.x), floor(place.y), floor(place.z))
    let f = place - SIMD3(Float(x), Float(y), Float(z))
    let t = f * f * (3 - 2 * f)
    func edge(_ y: Int32, _ z: Int32) -> Float {
      let a = random(x, y, z)
      return a + (random(x &+ 1, y, z) - a) * t.x
    }
    let near = edge(y, z) + (edge(y &+ 1, z) - edge(y, z)) * t.y
    let far = edge(y, z &+ 1) + (edge(y &+ 1, z &+ 1) - edge(y, z &+ 1)) * t.y
    return near + (far - near) * t.z
  }

  private func random(_ x: Int32, _ y: Int32, _ z: Int32) -> Float {
    var h = UInt32(bitPattern: x) &* 0x8DA6_B343 ^ UInt32(bitPattern: y) &* 0xD816_3841
    h ^= UInt32(bitPattern: z) &* 0xCB1A_B31F ^ salt
    h = (h ^ h >> 15) &* 0x2C1B_3C6D
    h = (h ^ h >> 12) &* 0x297A_2D39
    return Float((h ^ h >> 15) >> 8) * (1 / 16_777_216)
  }

  /// The standard library's rounding is a call into the C library on a baseline processor.
  private func floor(_ value: Float) -> Int32 {
    let truncated = Int32(value)
    return Float(truncated) > value ? truncated - 1 : truncated
  }
}

func mix(_ a: Color, _ b: Color, _ t: Float) -> Color {
  a + (b - a) * t
}

/// Hermite's step from 0 at `low` to 1 at `high`.
func smooth(_ low: Float, _ high: Float, _ value: Float) -> Float {
  let t = min(max((value - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}

/// A saturated colour; `hue` in turns, 0 is red.
func hue(_ hue: Float) -> Color {
  func channel(_ offset: Float) -> Float {
    let t = hue + offset
    let turn = t - Float(Int32(t))
    return min(max(abs(turn * 6 - 3) - 1, 0), 1)
  }
  return Color(channel(1), channel(1 + 2 / 3.0), channel(1 + 1 / 3.0))
}
