import Foundation
import Frames
import Media
import Support
import Testing

/// What `probe` says of the sound in a clip.
@Suite(.tier(.test)) struct AudioTrackTests {
  private static func sound(_ channels: String) -> [String] {
    ["-f", "lavfi", "-i", "anullsrc=r=48000:cl=\(channels)"]
  }

  private static let picture = ["-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=0.5"]

  @Test func everyStreamIsListedWithItsWords() throws {
    let path = try SharedClips.ffmpeg(
      "audio-tracks.mkv",
      Self.picture + Self.sound("stereo") + Self.sound("mono") + Self.sound("5.1") + Self.sound("4.0")
        + (0..<5).flatMap { ["-map", "\($0)"] } + ["-c:v", "mpeg4", "-t", "0.5"]
        + ["-c:a:0", "aac", "-c:a:1", "libopus", "-c:a:2", "ac3", "-c:a:3", "flac"]
        + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:0", "title=Director"]
        + ["-metadata:s:a:1", "language=ger", "-disposition:a:0", "default+original"]
        + ["-disposition:a:1", "visual_impaired", "-disposition:a:2", "forced", "-disposition:a:3", "0"])
    let tracks = try probe(path).audio
    #expect(tracks.map(\.streamIndex) == [1, 2, 3, 4] && tracks.map(\.codec) == ["aac", "opus", "ac3", "flac"])
    #expect(tracks.map(\.layout) == [.stereo, .mono, .surround51, nil] && tracks.map(\.channels) == [2, 1, 6, 4])
    #expect(
      tracks.map(\.language?.code) == ["en", "de", nil, nil] && tracks.map(\.title) == ["Director", nil, nil, nil])
    #expect(tracks.map(\.isDefault) == [true, false, false, false])
    #expect(tracks.map(\.isOriginal) == [true, false, false, false])
    #expect(tracks.map(\.isDescriptive) == [false, true, false, false])
    #expect(tracks.map(\.isForced) == [false, false, true, false])
    #expect(tracks.allSatisfy { $0.sampleRate == 48000 && $0.refusal == nil && $0.channelMap == nil })
    #expect(
      tracks.map(\.name) == [
        "English, stereo, \"Director\" (stream 1)", "German, descriptive, mono (stream 2)",
        "unknown language, forced, 5.1 (stream 3)", "unknown language, 4 channels (stream 4)",
      ])
    let text = try JSONEncoder().encode(tracks)
    #expect(try JSONDecoder().decode([AudioTrack].self, from: text) == tracks)
  }

  @Test func aClipWithoutSoundHasNoTracks() throws {
    #expect(try probe(SharedClips.many("mp4")).audio.isEmpty)
  }

  @Test func moreChannelsThanAnyLayoutAreRefused() throws {
    let path = try SharedClips.ffmpeg(
      "audio-16.mkv",
      Self.picture + Self.sound("hexadecagonal") + [
        "-map", "0", "-map", "1", "-c:v", "mpeg4", "-c:a", "pcm_s16le", "-t", "0.5",
      ])
    let track = try #require(try probe(path).audio.first)
    #expect(track.channels == 16 && track.layout == nil && track.refusal?.contains("16 channels") == true)
  }

  /// Opus's family 2 is ambisonics, of which FFmpeg tells; its family 3 is not decoded.
  @Test(arguments: [(2, 4), (2, 6), (3, 4)])
  func opusTellsOfItsAmbisonics(family: Int, channels: Int) throws {
    let layout = channels == 4 ? "quad" : "5.1"
    let plain = try SharedClips.ffmpeg(
      "opus-\(channels).webm",
      Self.picture + Self.sound(layout)
        + ["-map", "0", "-map", "1", "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "16"]
        + ["-c:a", "libopus", "-mapping_family", "255", "-t", "0.5"])
    let path = try SharedClips.file("opus-family-\(family)-\(channels).webm") { path in
      var bytes = try [UInt8](Data(contentsOf: URL(filePath: plain)))
      let magic = Array("OpusHead".utf8)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: magic) })
      #expect(bytes[place + 18] == 255)
      bytes[place + 18] = UInt8(family)
      try Data(bytes).write(to: URL(filePath: path))
    }
    let track = try #require(try probe(path).audio.first)
    if family == 3 {
      #expect(track.refusal?.contains("family 3") == true)
    } else {
      #expect(track.layout == (channels == 4 ? .ambisonic : .ambisonicAndStereo) && track.refusal == nil)
      #expect(track.isHeadLocked == (channels == 6))
    }
  }

  @Test func encryptedSoundIsRefused() throws {
    let made = try SharedClips.ffmpeg(
      "audio-encrypted.mp4",
      Self.picture + Self.sound("stereo") + ["-map", "0", "-map", "1", "-c:v", "mpeg4", "-c:a", "aac", "-t", "0.5"]
        + ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", String(repeating: "01", count: 16)]
        + ["-encryption_kid", String(repeating: "02", count: 16)])
    let track = try #require(try probe(made).audio.first)
    #expect(track.refusal == "it is encrypted")
  }
}
