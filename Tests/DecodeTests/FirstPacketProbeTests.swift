import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// A clip that is opened by decoding its first packet is the clip that probing finds.
@Suite(.tier(.test)) struct FirstPacketProbeTests {
  private static func soon(threads: Int = 2) -> DecoderOptions {
    var options = DecoderOptions(threads: threads)
    options.showsFirstSoon = true
    return options
  }

  /// Everything that is known of it, as text, so that a difference can be read.
  private static func facts(_ info: MediaInfo) throws -> [String: String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let object = try JSONSerialization.jsonObject(with: try encoder.encode(info)) as? [String: Any] ?? [:]
    var facts: [String: String] = [:]
    func add(_ value: Any, _ name: String) {
      switch value {
      case let members as [String: Any]: for (key, member) in members { add(member, name + "." + key) }
      case let elements as [Any]: for (number, element) in elements.enumerated() { add(element, "\(name)[\(number)]") }
      default: facts[name] = "\(value)"
      }
    }
    add(object, "")
    // Matroska's index and that of fragments hold the packets read so far, and here more is read.
    return facts.filter { !$0.key.contains("groupOfPictures") }
  }

  private static func expectTheSame(_ path: String) throws {
    let probed: FrameReader
    do throws(Failure) {
      probed = try FrameReader(path: path)
    } catch {
      let refusal = #expect(throws: Failure.self) { try FrameReader(path: path, options: soon()) }
      #expect(refusal?.kind == error.kind)
      return
    }
    let found = try facts(FrameReader(path: path, options: soon()).info)
    let wanted = try facts(probed.info)
    for (name, value) in wanted where found[name] != value {
      Issue.record("\(path): \(name) is \(found[name] ?? "missing"), not \(value)")
    }
    #expect(found.count == wanted.count)
  }

  @Test(arguments: SeekClip.all)
  func itTellsWhatProbingTells(clip: SeekClip) throws { try Self.expectTheSame(try clip.path()) }

  private static func expectTheSame(_ clips: [MediaIndex.Clip]) throws {
    let media = try #require(TestFolders.media)
    for clip in clips where clip.byteCount <= 20_000_000 && !clip.name.contains(/\.(m3u8|mpd)$/) {
      try expectTheSame(media + "/" + clip.name)
    }
  }

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func itTellsWhatProbingTellsOfRealClips() throws { try Self.expectTheSame(MediaIndex.sample) }

  @Test(.tier(.full), .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func itTellsWhatProbingTellsOfAllRealClips() throws { try Self.expectTheSame(MediaIndex.clips) }

  /// The first frame, whether it is asked for or just comes first, and all others after it.
  @Test(arguments: SeekClip.all, [false, true])
  func everyFrameComesOnce(clip: SeekClip, asksForFirst: Bool) throws {
    let truth = try clip.truth()
    let reader = try FrameReader(path: try clip.path(), options: Self.soon())
    var numbers: [Int?] = []
    if asksForFirst, let first = try reader.first() { numbers.append(first.number(clip.specification)) }
    while let frame = try reader.next() { numbers.append(frame.number(clip.specification)) }
    #expect(numbers == truth.map(\.number))
  }

  @Test(arguments: ["gop-12.mp4", "gop-60.mp4", "gop-1.mp4", "pyramid.mp4", "hevc.mp4"])
  func theFirstFrameIsTheOneThatToldWhatTheClipIs(name: String) throws {
    let clip = try #require(SeekClip.all.first { $0.description == name })
    for isSoon in [true, false] {
      var options = Self.soon()
      options.showsFirstSoon = isSoon
      let reader = try FrameReader(path: try clip.path(), options: options)
      #expect(try reader.first() != nil)
      #expect(reader.decodedFirstWhileOpening == isSoon)
    }
  }

  /// A seek before the first frame gets its own frame, and afterwards the first one.
  @Test(arguments: ["gop-12.mp4", "gop-12.mkv", "gop-1.mp4", "hevc.mp4"])
  func aSeekElsewhereLandsThere(name: String) throws {
    let clip = try #require(SeekClip.all.first { $0.description == name })
    let truth = try clip.truth()
    let reader = try FrameReader(path: try clip.path(), options: Self.soon())
    for number in [24, 25, 0, 48] {
      let frame = try reader.seek(SeekRequest(target: truth[number].time))
      #expect(frame?.number(clip.specification) == truth[number].number)
    }
  }
}
