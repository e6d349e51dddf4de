import Glibc

/// Turns first-order ambisonic sound (ambiX: W, Y, Z, X; SN3D) against the listener's head, so that sources stay where they are in
/// the scene.
///
/// A head at pan, tilt and roll in degrees, with the signs of the camera: pan to the right, tilt up, roll clockwise. The head's axes in
/// the scene are pan · tilt · roll, each about its own axis; the sound is turned by the inverse. W hears all directions alike and
/// stays; Y, Z and X are the components of a vector, so that one 3 × 3 rotation turns them.
public struct AmbisonicRotation: Sendable, Hashable {
  /// By rows, over (X ahead, Y left, Z up): the scene's direction to the head's.
  let rows: [Double]

  /// The head looks ahead and stands upright.
  public static let none = AmbisonicRotation(pan: 0, tilt: 0, roll: 0)

  /// Angles that are no finite numbers count as 0.
  public init(pan: Double, tilt: Double, roll: Double) {
    let (sinePan, cosinePan) = Self.sine(pan)
    let (sineTilt, cosineTilt) = Self.sine(tilt)
    let (sineRoll, cosineRoll) = Self.sine(roll)
    // What the head has ahead, to its left and above it, in the scene: the rows of the inverse.
    let ahead = [cosineTilt * cosinePan, -cosineTilt * sinePan, sineTilt]
    let levelLeft = [sinePan, cosinePan, 0]
    let levelUp = [-sineTilt * cosinePan, sineTilt * sinePan, cosineTilt]
    let left = zip(levelLeft, levelUp).map { $0 * cosineRoll + $1 * sineRoll }
    let up = zip(levelLeft, levelUp).map { $1 * cosineRoll - $0 * sineRoll }
    rows = ahead + left + up
  }

  /// The direction in which the head hears what lies in the direction (X, Y, Z) of the scene.
  public func turned(x: Double, y: Double, z: Double) -> (x: Double, y: Double, z: Double) {
    func row(_ index: Int) -> Double { rows[index] * x + rows[index + 1] * y + rows[index + 2] * z }
    return (row(0), row(3), row(6))
  }

  /// Turns interleaved sample frames in place; channels behind the first four stay.
  ///
  /// - Parameter channels: of a sample frame, 4 or more.
  public func turn(_ samples: inout [Float], channels: Int) {
    precondition(channels >= 4 && samples.count % channels == 0)
    let m = rows.map { Float($0) }
    for place in stride(from: 0, to: samples.count, by: channels) {
      let (y, z, x) = (samples[place + 1], samples[place + 2], samples[place + 3])
      samples[place + 3] = m[0] * x + m[1] * y + m[2] * z
      samples[place + 1] = m[3] * x + m[4] * y + m[5] * z
      samples[place + 2] = m[6] * x + m[7] * y + m[8] * z
    }
  }

  private static func sine(_ degrees: Double) -> (sine: Double, cosine: Double) {
    guard degrees.isFinite else { return (0, 1) }
    let radians = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
    return (sin(radians), cos(radians))
  }
}

extension AmbisonicRotation {
  /// ambiX (W, Y, Z, X; SN3D) in the order and scale of Furse and Malham: W / √2, X, Y, Z; channels behind the first four are left out.
  ///
  /// - Parameter channels: of a sample frame, 4 or more.
  package static func furseMalham(_ samples: [Float], channels: Int) -> [Float] {
    var converted: [Float] = []
    converted.reserveCapacity(samples.count / channels * 4)
    let scale = Float(0.5.squareRoot())
    for place in stride(from: 0, to: samples.count, by: channels) {
      converted.append(samples[place] * scale)
      converted.append(samples[place + 3])
      converted.append(samples[place + 1])
      converted.append(samples[place + 2])
    }
    return converted
  }
}
