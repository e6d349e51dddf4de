import Bench360Player
import Decode
import Encode
import Foundation
import Frames
import GPU
import Media
import Offline
import Playback
import Render
import Session
import TestPicture
import Verdict
import Window

/// The examples of the pages `Docs/Bench360.docc/Modules/*.md`, a function each.
enum ModuleExamples {
  static func frames() {
    // Frame 100 of a clip of 29.97 frames a second begins at:
    let time = MediaTime(ticks: 100, timeBase: Ratio(1001, 30_000))
    print(time.seconds)
  }

  static func media(clip: String) throws {
    let info = try probe(clip)
    print(info.container, info.video.codec, info.video.size, info.video.spherical?.projection ?? "flat")
  }

  static func decode(clip: String) throws {
    let reader = try FrameReader(path: clip)
    // The frame shown at 0.5 s, decoded exactly; then the frames after it.
    var frame = try reader.seek(SeekRequest(target: MediaTime(seconds: 0.5)))
    while let shown = frame {
      print(shown.index, shown.presentationTime.seconds)
      frame = try reader.next()
    }
  }

  static func bench360Player(clip: String) async throws {
    let player = Player(clip)
    try player.attach(to: .offscreen(size: PictureSize(width: 320, height: 180)))
    let image = try await player.image(at: MediaTime(seconds: 0.5))
    print(image.time.seconds, player.state.duration?.seconds ?? 0)
  }

  static func window() {
    let event = WindowEvent.key(.space, .pressed, [])
    if case .key(let key, .pressed, _) = event { print(key == .space) }
  }

  static func offline(url: String, library: String) throws {
    var options = DownloadOptions()
    options.quota = 20_000_000_000
    let kept = try Download(url, into: library, options).run { print($0.fraction) }
    print(kept.path ?? "not whole", try Downloads(library).list().map(\.name))
  }

  static func testPicture(frame: VideoFrame) {
    // The number in the pixels of a frame of a synthetic clip.
    let reading = FrameCode.read(luma: frame.picture.planes[0], layout: .equirectangular)
    print(reading)
  }

  static func encode(path: String) throws {
    var clip = ClipSpecification()
    clip.codec = "hevc"
    clip.size = PictureSize(width: 640, height: 320)
    clip.frames = 30
    try generateClip(clip, to: path)
  }

  static func gpu() throws {
    let device = try GPUDevice("auto")
    print(device.info.name, UploadStrategy.direct.obstacle(on: device) ?? "direct upload works")
  }

  static func render(device: GPUDevice, frame: VideoFrame) throws -> [UInt8]? {
    let renderer = try ViewRenderer(
      device: device, geometry: PictureGeometry(projection: .equirectangular),
      targetSize: PictureSize(width: 640, height: 360))
    var views = try renderer.render(frame, camera: Camera(pan: 30, tilt: 10), wantsPixels: true)
    views += try renderer.drain()
    return views.last?.pixels
  }

  static func session(clip: String) throws {
    var options = RenderSession.Options()
    options.targetSize = PictureSize(width: 640, height: 360)
    let session = try RenderSession(path: clip, options: options)
    print(session.upload, session.reasons[.upload] ?? "as chosen")
  }

  static func playback(clip: String) throws {
    // A drawing loop asks again at each frame; the maker's thread fills in the pictures.
    let thumbnails = ThumbnailMaker(of: try ProbedClip(path: clip))
    let thumbnail = thumbnails.thumbnail(at: MediaTime(seconds: 1))
    print(thumbnail.status, thumbnail.picture == nil)
  }

  static func verdict(base: String, head: String) throws {
    let comparison = try Comparison(base: RecordSet.load(base), head: RecordSet.load(head))
    print(try ComparisonFormat.markdown.render(comparison))
  }

  static func report(records: String) throws -> String {
    let set = try RecordSet.load(records)
    return Report(groups: RecordGroup.groups(set.records), leftOut: set.leftOut).html
  }
}
