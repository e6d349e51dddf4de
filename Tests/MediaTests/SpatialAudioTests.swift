import Frames
import Media
import Support
import Testing

/// Ambisonic tracks: which channel is which, as the box `SA3D` or a codec tells.
@Suite(.tier(.test)) struct SpatialAudioTests {
  private static func track(_ name: String, channels: Int = 4, _ content: [UInt8]) throws -> AudioTrack {
    try #require(try probe(try SpatialClips.clip(name, channels: channels, content)).audio.first)
  }

  @Test func theBoxTellsOfTheFirstOrder() throws {
    let plain = try Self.track("sa3d-none.mov", [])
    #expect(plain.layout == nil && plain.channels == 4 && plain.refusal == nil && plain.channelMap == nil)
    let track = try Self.track("sa3d-plain.mov", SpatialClips.box(map: [0, 1, 2, 3]))
    #expect(track.layout == .ambisonic && track.channelMap == [0, 1, 2, 3] && !track.isHeadLocked)
    #expect(track.refusal == nil && track.sampleRate == 48000 && track.codec == "aac")
  }

  /// FFmpeg 5.1 reads neither.
  @Test func orderAndHeadLockedStereoAreRead() throws {
    let reordered = try Self.track("sa3d-order.mov", SpatialClips.box(map: [0, 2, 3, 1]))
    #expect(reordered.layout == .ambisonic && reordered.channelMap == [0, 2, 3, 1])
    let locked = try Self.track("sa3d-locked.mov", channels: 6, SpatialClips.box(type: 0x80, map: [2, 3, 4, 5, 0, 1]))
    #expect(locked.layout == .ambisonicAndStereo && locked.channelMap == [2, 3, 4, 5, 0, 1] && locked.isHeadLocked)
  }

  /// What is said, and a word of the refusal; nil: the box counts as none.
  private static let flawed: [(name: String, box: [UInt8], refusal: String?)] = [
    ("type", SpatialClips.box(type: 1, map: [0, 1, 2, 3]), "type"),
    ("ordering", SpatialClips.box(ordering: 1, map: [0, 1, 2, 3]), "ambiX"),
    ("normalization", SpatialClips.box(normalization: 1, map: [0, 1, 2, 3]), "ambiX"),
    ("locked-too-few", SpatialClips.box(type: 0x80, map: [0, 1, 2, 3, 0, 1]), "6 channels"),
    ("order-2", SpatialClips.box(order: 2, map: [0, 1, 2, 3, 4, 5, 6, 7, 8]), "order 2"),
    ("order-0", SpatialClips.box(order: 0, map: [0, 1, 2, 3]), "order 0"),
    ("order-huge", SpatialClips.box(order: .max, map: [UInt32](repeating: 0, count: 90)), "order 8"),
    ("channels-huge", SpatialClips.box(channels: .max, map: [0, 1, 2, 3]), "channels"),
    ("twice", SpatialClips.box(map: [0, 1, 1, 3]), "twice"),
    ("not-there", SpatialClips.box(map: [0, 1, 2, 4]), "not there"),
    ("not-there-huge", SpatialClips.box(map: [0, 1, 2, .max]), "not there"),
    ("version", SpatialClips.box(version: 1, map: [0, 1, 2, 3]), nil),
    ("short", BoxEditor.box("SA3D", [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]), nil),
    ("empty", BoxEditor.box("SA3D", []), nil),
  ]

  @Test(arguments: flawed.map(\.name))
  func boxesThatLieAreRefusedByName(name: String) throws {
    let row = try #require(Self.flawed.first { $0.name == name })
    // FFmpeg itself may refuse such a file: that is an answer, too.
    guard let track = try? Self.track("sa3d-flawed-\(name).mov", row.box) else { return }
    #expect(track.layout == nil)
    if let word = row.refusal { #expect(track.refusal?.contains(word) == true, "\(track.refusal ?? "none")") }
    if row.refusal == nil { #expect(track.refusal == nil) }
  }

  @Test func aBoxOfAnotherTrackIsNotTaken() throws {
    let track = try Self.track("sa3d-stereo.mov", channels: 2, SpatialClips.box(map: [0, 1, 2, 3]))
    #expect(track.layout == .stereo && track.channelMap == nil)
  }
}
