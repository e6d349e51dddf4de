import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Origin
import Streaming
import Support
import TestPicture

/// Ladders behind an origin, and downloads of them.
enum OfflineStage {
  /// Of a ladder's video.
  static let frames = 135

  /// Two rungs, sound in two languages and subtitles.
  static func ladder(_ encryption: LadderSpecification.Encryption? = nil) throws -> SharedLadders.Ladder {
    guard let encryption else { return try SharedLadders.flat() }
    return try SharedLadders.ladder("encrypted-\(encryption == .clearKey ? "clearkey" : "aes")") {
      $0.encryption = encryption
    }
  }

  /// The ladder of two short segments, for tests that load it again and again.
  static func shortLadder(_ encryption: LadderSpecification.Encryption? = nil) throws -> SharedLadders.Ladder {
    var ladder = SharedLadders.small { ($0.languages, $0.encryption) = (["en"], encryption) }
    (ladder.clip.frames, ladder.segmentSeconds) = (12, 0.2)
    return try SharedLadders.ladder("short" + (encryption == nil ? "" : "-encrypted"), ladder)
  }

  static func file(_ kind: LadderIndex.Presentation.Kind, of ladder: SharedLadders.Ladder) -> String {
    ladder.index.presentations.first { $0.kind == kind }?.file ?? ""
  }

  /// What a presentation of a folder shows, from an origin of its own: frames, those with another number than their place, and the rung.
  static func play(_ path: String) throws -> (frames: Int, wrong: Int, rung: Int?, sounds: [AudioTrack]) {
    guard let place = LocalPresentation(file: path), let lowest = ControllerChoice("lowest") else {
      return (0, 0, nil, [])
    }
    let origin = try Origin.start(place.folder)
    var options = StreamOptions(controller: lowest)
    options.load = LoadPolicy(minimum: 60, maximum: 60)
    let stream = try LoadedStream(origin.url + place.urlPath, options)
    defer { stream.stop() }
    let packets = try stream.packets(interruption: Interruption())
    let truth = FrameTruth(packets.info.synthetic)
    let reader = try FrameReader(packets, packets.info, options: DecoderOptions())
    var (frames, wrong, rung) = (0, 0, Int?.none)
    var inspected = truth
    while let frame = try reader.next() {
      stream.played(to: frame.presentationTime)
      let reading = inspected?.inspect(frame)
      if reading?.number != frames { wrong += 1 }
      rung = reading?.rung
      frames += 1
    }
    let sounds = stream.audio
    stream.stop()
    try origin.stop()
    return (frames, wrong, rung, sounds)
  }
}
