import Frames

/// The colours of red, green, blue and white: CIE 1931 xy chromaticities of ITU-T H.273, table 2.
public struct Primaries: Sendable, Hashable {
  /// x and y of a colour.
  public struct Chromaticity: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }

    /// X, Y, Z of this colour with Y = 1.
    var tristimulus: Vector3 { Vector3(x / y, 1, (1 - x - y) / y) }
  }

  public let red: Chromaticity
  public let green: Chromaticity
  public let blue: Chromaticity
  public let white: Chromaticity

  private static let d65 = Chromaticity(0.3127, 0.3290)
  private static let illuminantC = Chromaticity(0.310, 0.316)

  public static let bt709 = Primaries(
    red: Chromaticity(0.640, 0.330), green: Chromaticity(0.300, 0.600), blue: Chromaticity(0.150, 0.060), white: d65)
  public static let bt2020 = Primaries(
    red: Chromaticity(0.708, 0.292), green: Chromaticity(0.170, 0.797), blue: Chromaticity(0.131, 0.046), white: d65)
  private static let smpte170m = Primaries(
    red: Chromaticity(0.630, 0.340), green: Chromaticity(0.310, 0.595), blue: Chromaticity(0.155, 0.070), white: d65)

  /// By FFmpeg's name; nil where no matrix is known for it.
  public static func named(_ name: String) -> Primaries? { table[name] }

  /// FFmpeg's names of all that can be converted.
  public static var names: [String] { table.keys.sorted() }

  private static let table: [String: Primaries] = [
    "bt709": bt709, "bt2020": bt2020, "smpte170m": smpte170m, "smpte240m": smpte170m,
    "bt470m": Primaries(
      red: Chromaticity(0.67, 0.33), green: Chromaticity(0.21, 0.71), blue: Chromaticity(0.14, 0.08),
      white: illuminantC),
    "bt470bg": Primaries(
      red: Chromaticity(0.64, 0.33), green: Chromaticity(0.29, 0.60), blue: Chromaticity(0.15, 0.06), white: d65),
    "film": Primaries(
      red: Chromaticity(0.681, 0.319), green: Chromaticity(0.243, 0.692), blue: Chromaticity(0.145, 0.049),
      white: illuminantC),
    "smpte431": Primaries(
      red: Chromaticity(0.680, 0.320), green: Chromaticity(0.265, 0.690), blue: Chromaticity(0.150, 0.060),
      white: Chromaticity(0.314, 0.351)),
    "smpte432": Primaries(
      red: Chromaticity(0.680, 0.320), green: Chromaticity(0.265, 0.690), blue: Chromaticity(0.150, 0.060), white: d65),
    "ebu3213": Primaries(
      red: Chromaticity(0.630, 0.340), green: Chromaticity(0.295, 0.605), blue: Chromaticity(0.155, 0.077), white: d65),
  ]

  /// Linear R, G, B to X, Y, Z, with white at Y = 1 (SMPTE RP 177-1993, 3.3).
  public var toXYZ: Matrix3 {
    let columns = Matrix3(red.tristimulus, green.tristimulus, blue.tristimulus).transposed
    let share = columns.inverse * white.tristimulus
    return Matrix3(
      Vector3(columns.rows.0.x * share.x, columns.rows.0.y * share.y, columns.rows.0.z * share.z),
      Vector3(columns.rows.1.x * share.x, columns.rows.1.y * share.y, columns.rows.1.z * share.z),
      Vector3(columns.rows.2.x * share.x, columns.rows.2.y * share.y, columns.rows.2.z * share.z))
  }

  /// Linear light of these primaries to that of `other`; white stays white by Bradford's adaptation.
  public func matrix(to other: Primaries) -> Matrix3 {
    if self == other { return .identity }
    return other.toXYZ.inverse * Primaries.adaptation(from: white, to: other.white) * toXYZ
  }

  /// Bradford's linear transform of X, Y, Z between white points (Lam 1985; ICC.1:2010, annex E).
  private static func adaptation(from: Chromaticity, to: Chromaticity) -> Matrix3 {
    if from == to { return .identity }
    let cone = Matrix3(
      Vector3(0.8951, 0.2664, -0.1614), Vector3(-0.7502, 1.7135, 0.0367), Vector3(0.0389, -0.0685, 1.0296))
    let (a, b) = (cone * from.tristimulus, cone * to.tristimulus)
    let scale = Matrix3(Vector3(b.x / a.x, 0, 0), Vector3(0, b.y / a.y, 0), Vector3(0, 0, b.z / a.z))
    return cone.inverse * scale * cone
  }
}

extension Matrix3 {
  public static let identity = Matrix3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))

  /// By cofactors; the matrix must have one.
  public var inverse: Matrix3 {
    let (a, b, c) = rows
    func cross(_ p: Vector3, _ q: Vector3) -> Vector3 {
      Vector3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
    }
    let scale = 1 / a.dot(cross(b, c))
    return Matrix3(scale * cross(b, c), scale * cross(c, a), scale * cross(a, b)).transposed
  }
}
