import Decode
import Encode
import Foundation
import Frames
import Support
import TestPicture
import Testing

/// What the pictures and the sound of a ladder say, decoded by this program's decoder and by FFmpeg's tools.
@Suite(.tier(.test)) struct LadderTruthTests {
  @Test(arguments: ["flat", "sphere"])
  func everyFrameShowsItsNumberAndRung(_ kind: String) throws {
    let ladder = try kind == "flat" ? SharedLadders.flat() : SharedLadders.sphere()
    let tag = try #require(SyntheticTag(comment: ladder.index.synthetic))
    #expect(tag.rung == nil && ladder.index.rungs.count == 2)
    for rung in ladder.index.rungs {
      #expect(rung.renditions.map(\.packaging) == [.ts, .fmp4])
      for rendition in rung.renditions {
        var truth = try #require(FrameTruth(tag))
        let reader = try FrameReader(path: try ladder.joined(rendition))
        var readings: [FrameCode.Reading?] = []
        while let frame = try reader.next() { readings.append(truth.inspect(frame, rung: rung.rung)) }
        #expect(readings == (0..<135).map { .ladder(number: $0, rung: rung.rung) }, "\(kind) \(rendition.packaging)")
        #expect(truth.checked == 135 && truth.wrong == 0 && truth.wrongRung == 0, "\(truth.firstWrong ?? "")")
      }
    }
  }

  /// A clip's own tag names the rung, and a frame of another rung is told from a wrong frame.
  @Test func wrongRungsAreCounted() throws {
    let ladder = try SharedLadders.flat()
    let rendition = try #require(ladder.index.rungs[1].renditions.last)
    let reader = try FrameReader(path: try ladder.joined(rendition))
    let tag = try #require(reader.info.synthetic)
    #expect(tag.rung == 1)
    var truth = try #require(FrameTruth(tag))
    let first = try #require(try reader.next())
    var second = try #require(try reader.next())
    #expect(truth.check(first) == 0 && truth.wrongRung == 0)
    truth.inspect(first, rung: 0)
    #expect(truth.checked == 2 && truth.wrong == 0 && truth.wrongRung == 1)
    #expect(truth.firstWrong == "the decoded frame that claims to be 0 of rung 0 shows rung 1")
    second.presentationTime = first.presentationTime
    truth.inspect(second, rung: 0)
    #expect(truth.wrong == 1 && truth.wrongRung == 2)
    // No code at all is a wrong frame, of no known rung.
    second.picture = HostPicture(format: .yuv420p, size: second.size)
    truth.check(second)
    #expect(truth.wrong == 2 && truth.wrongRung == 2)
    // A number without a rung is of no rung.
    let plain = try FrameReader(
      path: try SharedClips.synthetic("no-rung.mp4") {
        ($0.projection, $0.frames, $0.size) = (.flat, 2, PictureSize(width: 256, height: 144))
      })
    truth.check(try #require(try plain.next()))
    #expect(truth.wrong == 2 && truth.wrongRung == 3)
  }

  /// Decoded by FFmpeg's tool, at every half second: to a millisecond behind AAC, in both packagings and languages.
  @Test(arguments: LadderIndex.Packaging.allCases)
  func soundTellsItsPosition(_ packaging: LadderIndex.Packaging) throws {
    let ladder = try SharedLadders.flat()
    #expect(ladder.index.audio.map(\.language) == ["en", "de"])
    for audio in ladder.index.audio {
      let rendition = try #require(audio.renditions.first { $0.packaging == packaging })
      let path = try ladder.joined(rendition)
      let samples = Judge.run("ffmpeg -v error -i '\(path)' -f f32le -").withUnsafeBytes {
        Array($0.bindMemory(to: Float.self))
      }
      #expect(samples.count >= Int(4.5 * 48_000))
      for start in stride(from: 1024, to: samples.count - 12_000, by: 11_111) {
        let reading = TonePosition.read(Array(samples[start..<start + 12_000]), rate: 48_000)
        #expect(reading?.track == audio.track, "\(audio.language) at \(start)")
        #expect(abs((reading?.seconds ?? -1) - Double(start) / 48_000) < 0.001, "\(audio.language) at \(start)")
      }
    }
  }

  @Test func thumbnailsShowTheirFrame() throws {
    let ladder = try SharedLadders.flat()
    let thumbnails = try #require(ladder.index.thumbnails)
    #expect(thumbnails.images.count == 1 && thumbnails.columns == 5 && thumbnails.rows == 4)
    let sheet = PictureSize(width: 5 * thumbnails.width, height: 4 * thumbnails.height)
    let gray = Judge.run("ffmpeg -v error -i '\(ladder.path(thumbnails.images[0]))' -f rawvideo -pix_fmt gray -")
    #expect(gray.count == sheet.width * sheet.height)
    for number in 0..<5 {
      var rows: [UInt8] = []
      for row in 0..<thumbnails.height {
        let start = row * sheet.width + number * thumbnails.width
        rows += gray[start..<start + thumbnails.width]
      }
      let size = PictureSize(width: thumbnails.width, height: thumbnails.height)
      #expect(readCode(rows, size: size, layout: .flat) == .number(30 * number))
    }
    let track = String(decoding: try ladder.bytes(thumbnails.track), as: UTF8.self)
    #expect(track.hasPrefix("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n00000.jpg#xywh=0,0,160,90\n\n"))
    #expect(track.hasSuffix("00:00:04.000 --> 00:00:04.500\n00000.jpg#xywh=640,0,160,90\n\n"))
  }

  /// Each cue says its time and frame; a segment holds the cues that are shown in it, on the media's clock.
  @Test func subtitlesTellTheirTime() throws {
    let ladder = try SharedLadders.flat()
    for subtitles in ladder.index.subtitles {
      let track = String(decoding: try ladder.bytes(subtitles.file), as: UTF8.self)
      #expect(track.contains("00:00:03.000 --> 00:00:04.000\n\(subtitles.language) 00:00:03.000 frame 90\n"))
      #expect(track.contains("00:00:04.000 --> 00:00:04.500\n"))
    }
    for (folder, origin) in [("hls-ts", 900_000), ("hls-fmp4", 0)] {
      let text = String(decoding: try ladder.bytes("\(folder)/subtitles-de/00003.vtt"), as: UTF8.self)
      #expect(
        text == """
          WEBVTT
          X-TIMESTAMP-MAP=MPEGTS:\(origin),LOCAL:00:00:00.000

          00:00:03.000 --> 00:00:04.000
          de 00:00:03.000 frame 90


          """)
    }
    // The media's clock of MPEG-TS begins there.
    let segment = ladder.path("hls-ts/video-0/00000.ts")
    let start = Judge.text("ffprobe -v error -show_entries packet=pts -of csv=p=0 '\(segment)'")
    #expect(start.split(whereSeparator: { $0 == "\n" || $0 == "," }).first == "900000")
  }
}
