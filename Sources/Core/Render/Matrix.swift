import Glibc

/// Three numbers: a direction, or a row of a matrix.
public struct Vector3: Sendable, Hashable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The scalar product.
  public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  /// The vector product.
  public func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  public static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }
  public static func * (a: Double, b: Vector3) -> Vector3 { Vector3(a * b.x, a * b.y, a * b.z) }
}

/// A 3 × 3 matrix by rows.
public struct Matrix3: Sendable, Hashable {
  public var rows: (Vector3, Vector3, Vector3)

  public init(_ a: Vector3, _ b: Vector3, _ c: Vector3) {
    rows = (a, b, c)
  }

  public var transposed: Matrix3 {
    Matrix3(
      Vector3(rows.0.x, rows.1.x, rows.2.x), Vector3(rows.0.y, rows.1.y, rows.2.y),
      Vector3(rows.0.z, rows.1.z, rows.2.z))
  }

  public static func * (m: Matrix3, v: Vector3) -> Vector3 {
    Vector3(m.rows.0.dot(v), m.rows.1.dot(v), m.rows.2.dot(v))
  }

  public static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    let columns = b.transposed
    func row(_ r: Vector3) -> Vector3 { Vector3(r.dot(columns.rows.0), r.dot(columns.rows.1), r.dot(columns.rows.2)) }
    return Matrix3(row(a.rows.0), row(a.rows.1), row(a.rows.2))
  }

  /// Turns z towards x: a positive angle looks right.
  public static func rotationAboutY(_ degrees: Double) -> Matrix3 {
    let (s, c) = sine(degrees)
    return Matrix3(Vector3(c, 0, s), Vector3(0, 1, 0), Vector3(-s, 0, c))
  }

  /// Turns y towards z: a negative angle looks up.
  public static func rotationAboutX(_ degrees: Double) -> Matrix3 {
    let (s, c) = sine(degrees)
    return Matrix3(Vector3(1, 0, 0), Vector3(0, c, -s), Vector3(0, s, c))
  }

  /// Turns x towards y.
  public static func rotationAboutZ(_ degrees: Double) -> Matrix3 {
    let (s, c) = sine(degrees)
    return Matrix3(Vector3(c, -s, 0), Vector3(s, c, 0), Vector3(0, 0, 1))
  }

  public static func == (a: Matrix3, b: Matrix3) -> Bool { a.rows == b.rows }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rows.0)
    hasher.combine(rows.1)
    hasher.combine(rows.2)
  }
}

/// Sine and cosine; exact at multiples of 90°.
private func sine(_ degrees: Double) -> (sine: Double, cosine: Double) {
  let quarter = (degrees / 90).rounded()
  if quarter * 90 == degrees, abs(degrees) < 1e6 {
    switch ((Int(quarter) % 4) + 4) % 4 {
    case 0: return (0, 1)
    case 1: return (1, 0)
    case 2: return (0, -1)
    default: return (-1, 0)
    }
  }
  return (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
}
