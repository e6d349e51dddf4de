import Frames
import Glibc
import Render
import Support
import Testing
import Viewer

/// Datagrams of a head tracker, read and taken for what they are.
@Suite struct HeadPoseTests {
  private static func pose(_ values: [Double]) -> HeadPose? { HeadPose(UDPSender.bytes(values)) }

  @Test func sixDoublesAreAPose() throws {
    let pose = try #require(Self.pose([1.5, -2, 30, 45.25, -10, 0.125]))
    #expect((pose.x, pose.y, pose.z) == (1.5, -2, 30) && (pose.yaw, pose.pitch, pose.roll) == (45.25, -10, 0.125))
    // Byte for byte, as a little-endian machine has them in memory: 1.0 is 3FF0000000000000.
    var bytes = [UInt8](repeating: 0, count: 48)
    (bytes[24 + 6], bytes[24 + 7]) = (0xF0, 0x3F)
    #expect(HeadPose(bytes)?.yaw == 1 && HeadPose(bytes)?.pitch == 0)
  }

  @Test func everyPoseIsReadAsItWasWritten() throws {
    var random = SeededGenerator(for: "everyPoseIsReadAsItWasWritten")
    for _ in 0..<500 {
      let values = (0..<6).map { _ in Double.random(in: -3600...3600, using: &random) }
      let pose = try #require(Self.pose(values))
      #expect([pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll] == values)
    }
  }

  @Test(arguments: [.nan, .infinity, -.infinity, 1e9, -.greatestFiniteMagnitude, .signalingNaN] as [Double], 0..<6)
  func whatNoHeadDoesIsRefused(value: Double, place: Int) {
    var values = [0.0, 0, 0, 1, 2, 3]
    values[place] = value
    #expect(Self.pose(values) == nil)
  }

  @Test func othersLengthsAreRefused() {
    for count in [0, 1, 8, 40, 47, 49, 56, 96, 65507] where count != HeadPose.byteCount {
      #expect(HeadPose([UInt8](repeating: 0, count: count)) == nil)
    }
  }

  /// Yaw to the right, pitch up, roll clockwise, as `Camera` has them.
  @Test func headsTurnTheViewAsFarAsTheyTurn() throws {
    let home = Camera(pan: 100, tilt: -20, roll: 5, fieldOfView: 70)
    var hand = HeadHand()
    func move(_ values: [Double], _ fieldOfView: Double = 70) throws -> Camera {
      hand.move(try #require(Self.pose(values)), home: home, fieldOfView: fieldOfView)
    }
    #expect(try move([9, 9, 9, 30, 15, -4], 40) == Camera(pan: 130, tilt: -5, roll: 1, fieldOfView: 40))
    // Held like that is straight ahead from now on.
    hand.recentre()
    #expect(try move([0, 0, 0, 30, 15, -4]) == home)
    #expect(try move([0, 0, 0, 31, 200, -4]) == Camera(pan: 101, tilt: 90, roll: 5, fieldOfView: 70))
  }

  @Test func whoWasNeverHeardHasNoRest() throws {
    var hand = HeadHand()
    hand.recentre()
    #expect(hand.pose == nil)
    let camera = hand.move(try #require(Self.pose([0, 0, 0, 7, 0, 0])), home: Camera(), fieldOfView: 85)
    #expect(camera.pan == 7)
  }
}

/// The same by a socket: on this machine only, at a port that is free.
@Suite struct HeadTrackerTests {
  @Test func theNewestPoseCounts() throws {
    let tracker = try HeadTracker(.init(port: 0))
    let sender = try UDPSender(port: tracker.address.port)
    #expect(tracker.address.port != 0 && tracker.poll() == nil)
    for yaw in 1...5 { try sender.send([0, 0, 0, Double(yaw), 0, 0]) }
    // What is sent on this machine is there when the call returns.
    #expect(tracker.poll()?.yaw == 5 && tracker.poll() == nil && tracker.received == 5 && tracker.refused == 0)
  }

  @Test func strangersAreCountedAndPassedOver() throws {
    let tracker = try HeadTracker(.init(port: 0))
    let sender = try UDPSender(port: tracker.address.port)
    try sender.send([0, 0, 0, 3, 0, 0])
    try sender.send([0, 0, 0, .nan, 0, 0])
    try sender.send([0, 0, 0, 4, 0])
    try sender.send([0, 0, 0, 5, 0, 0, 0])
    try sender.send(bytes: [])
    try sender.send(bytes: [UInt8](repeating: 7, count: 20_000))
    #expect(tracker.poll()?.yaw == 3 && tracker.received == 1 && tracker.refused == 5)
  }

  /// A flood of datagrams does not delay a refresh.
  @Test func soManyAreReadAtOneRefreshAndNoMore() throws {
    let tracker = try HeadTracker(.init(port: 0))
    let sender = try UDPSender(port: tracker.address.port)
    for yaw in 1...100 { try sender.send([0, 0, 0, Double(yaw), 0, 0]) }
    #expect(tracker.poll()?.yaw == 64 && tracker.poll()?.yaw == 100 && tracker.poll() == nil)
  }

  @Test func portsInUseAndWrongAddressesAreSaid() throws {
    let tracker = try HeadTracker(.init(port: 0))
    let port = tracker.address.port
    let inUse = #expect(throws: Failure.self) { try HeadTracker(.init(port: port)) }
    #expect(inUse?.kind == .device && inUse?.description.contains("UDP port \(port) of 127.0.0.1: another") == true)
    let foreign = #expect(throws: Failure.self) { try HeadTracker(.init(port: port, host: "192.0.2.1")) }
    #expect(foreign?.kind == .device && foreign?.cause == "that is no address of this machine")
    for host in ["nowhere.example", "", "127.0.0.1:80", "::g"] {
      let refused = #expect(throws: Failure.self) { try HeadTracker(.init(port: port, host: host)) }
      #expect(refused?.kind == .usage, "\(host): \(refused as Any)")
    }
    // A closed tracker frees its port.
    let free = try { try HeadTracker(.init(port: 0)).address.port }()
    #expect(try HeadTracker(.init(port: free)).address.port == free)
  }

  @Test(arguments: [
    ("4242", HeadTracker.Address(port: 4242)), ("1@0.0.0.0", .init(port: 1, host: "0.0.0.0")),
    ("65535@::1", .init(port: 65535, host: "::1")), ("0", nil), ("65536", nil), ("-1", nil), ("+5", nil), ("", nil),
    ("@127.0.0.1", nil), ("4242@", nil), ("4242:", nil), ("٤", nil), ("4242 ", nil),
  ])
  func addressesAreReadStrictly(text: String, address: HeadTracker.Address?) {
    #expect(HeadTracker.Address(text) == address)
  }
}

/// A tracker's end of the line.
private final class UDPSender {
  private let socket: Int32
  private var place = sockaddr_in()

  struct Unsent: Error {}

  init(port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    guard socket >= 0 else { throw Unsent() }
  }

  deinit { close(socket) }

  static func bytes(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
  }

  func send(_ values: [Double]) throws { try send(bytes: Self.bytes(values)) }

  func send(bytes: [UInt8]) throws {
    let sent = withUnsafePointer(to: place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard sent == bytes.count else { throw Unsent() }
  }
}
