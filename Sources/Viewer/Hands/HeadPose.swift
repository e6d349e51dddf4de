import Render

/// How a head is held, as opentrack's output "UDP over network" tells it: a datagram of six little-endian doubles x, y, z,
/// yaw, pitch and roll. Pure.
///
/// Signs as opentrack's outputs for flight simulators take them (yaw, pitch) and descriptions of this one have them: yaw +
/// to the right, pitch + up, roll + to the right shoulder, which is clockwise for whoever looks out of that head: the signs
/// of `Camera`. X is + to the right, y + up, z + forward.
public struct HeadPose: Sendable, Hashable {
  /// Centimetres. A sphere is seen from its middle: they are read, and change nothing.
  public var (x, y, z) = (0.0, 0.0, 0.0)
  /// Degrees.
  public var (yaw, pitch, roll) = (0.0, 0.0, 0.0)

  /// Six times eight bytes.
  public static let byteCount = 48
  /// No head turns further; what does is no pose.
  static let (angleLimit, distanceLimit) = (3600.0, 1e6)

  public init() {}

  /// Nil for a datagram of another length, and for numbers that are none, or beyond anything a head does.
  public init?(_ packet: some Collection<UInt8>) {
    guard packet.count == Self.byteCount else { return nil }
    var values: [Double] = []
    var rest = packet[...]
    while !rest.isEmpty {
      let bits = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      values.append(Double(bitPattern: bits))
      rest = rest.dropFirst(8)
    }
    // What is not a number is not less than any.
    guard values[..<3].allSatisfy({ abs($0) <= Self.distanceLimit }),
      values[3...].allSatisfy({ abs($0) <= Self.angleLimit })
    else { return nil }
    (x, y, z) = (values[0], values[1], values[2])
    (yaw, pitch, roll) = (values[3], values[4], values[5])
  }
}

/// A head on the view: it turns it away from home as far as it is turned away from where it was at rest. Pure.
public struct HeadHand: Sendable {
  /// How the head is held; nil: nobody told yet.
  public private(set) var pose: HeadPose?
  private var rest = HeadPose()

  public init() {}

  /// How it is held now is straight ahead.
  public mutating func recentre() {
    if let pose { rest = pose }
  }

  /// - Parameters:
  ///   - home: where it looks when it is held straight ahead.
  ///   - fieldOfView: what hands have made of it; a head changes it not.
  public mutating func move(_ pose: HeadPose, home: Camera, fieldOfView: Double) -> Camera {
    self.pose = pose
    return Camera(
      pan: home.pan + pose.yaw - rest.yaw, tilt: min(max(home.tilt + pose.pitch - rest.pitch, -90), 90),
      roll: home.roll + pose.roll - rest.roll, fieldOfView: fieldOfView)
  }
}
