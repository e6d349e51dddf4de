import Decode
import Encode
import Foundation
import Frames
import GPU
import Render
import Session
import Support
import TestPicture
import Testing

@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct RenderSessionTests {
  private static func session(
    _ path: String, upload: UploadStrategy?, size: PictureSize = PictureSize(width: 160, height: 90)
  ) throws -> RenderSession {
    var options = RenderSession.Options()
    options.upload = upload
    options.targetSize = size
    options.validates = true
    options.decoder.threads = 1
    return try RenderSession(path: path, options: options)
  }

  /// Renders up to `limit` frames and reads every view back.
  private static func views(_ session: RenderSession, limit: Int = 8) throws -> [FrameRing.Finished] {
    var finished: [FrameRing.Finished] = []
    for _ in 0..<limit {
      guard let frame = try session.reader.next() else { break }
      finished += try session.renderer.render(frame, camera: Camera(pan: 30, tilt: 10), wantsPixels: true)
    }
    return finished + (try session.renderer.drain())
  }

  private static func clip(_ name: String) throws -> String {
    switch name {
    case "sphere": return try SharedClips.synthetic("view-sphere.mp4")
    case "stereo":
      return try SharedClips.synthetic("view-stereo.mp4") { ($0.stereo, $0.size.width) = (.sideBySide, 1280) }
    case "yuvj": return try SharedClips.synthetic("view-yuvj.mp4") { ($0.range, $0.frames) = (.full, 6) }
    case "10bit": return try SharedClips.synthetic("view-10bit.mkv") { ($0.bitDepth, $0.frames) = (10, 6) }
    case "422": return try SharedClips.synthetic("view-422.mkv") { ($0.chroma, $0.frames) = (.yuv422, 6) }
    case "444":
      return try SharedClips.synthetic("view-444.mkv") { ($0.chroma, $0.bitDepth, $0.frames) = (.yuv444, 10, 6) }
    case "converted":
      return try SharedClips.ffmpeg(
        "view-rgb.mkv",
        ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=0.4,format=gbrp", "-c:v", "libx264rgb", "-crf", "0"])
    case "hevc": return try SharedClips.synthetic("view-hevc.mkv") { ($0.codec, $0.frames) = ("hevc", 6) }
    default:
      // A size: odd ones come from VP9 and Motion JPEG, which crop without help.
      let codec = name.contains("1x") ? ["-c:v", "mjpeg"] : ["-c:v", "libx264", "-preset", "ultrafast"]
      return try SharedClips.ffmpeg(
        "view-\(name).mkv",
        [
          "-f", "lavfi", "-i", "testsrc2=s=\(name):r=10:d=0.4", "-pix_fmt",
          name.contains("1x") ? "yuvj420p" : "yuv420p",
        ]
          + codec)
    }
  }

  private static let names = [
    "sphere", "stereo", "yuvj", "10bit", "422", "444", "converted", "hevc", "160x90", "162x98", "161x121", "1920x1080",
  ]

  @Test(arguments: zip(names, names.indices.map { $0 % 2 == 0 ? UploadStrategy.direct : .staged }))
  func everyUploadGivesTheSamePicture(name: String, upload: UploadStrategy) throws {
    try Self.expectTheSamePicture(name, upload)
  }

  @Test(.tier(.full), arguments: names, [UploadStrategy.direct, .staged])
  func everyUploadGivesTheSamePictureOfAnyClip(name: String, upload: UploadStrategy) throws {
    try Self.expectTheSamePicture(name, upload)
  }

  private static func expectTheSamePicture(_ name: String, _ upload: UploadStrategy) throws {
    let path = try Self.clip(name)
    let session = try Self.session(path, upload: upload)
    let copy = try Self.session(path, upload: .copy)
    let (a, b) = (try Self.views(session), try Self.views(copy))
    #expect(a.count == b.count && !a.isEmpty && a.map(\.frame.index) == Array(0..<a.count))
    for (x, y) in zip(a, b) {
      Self.expectSame(x, y)
      #expect(y.upload == .copy && y.uploadMilliseconds > 0)
    }
    if upload.obstacle(on: session.device) == nil, name != "converted", session.uploadRefusal == nil {
      #expect(a.allSatisfy { $0.upload == upload && $0.uploadMilliseconds == 0 })
      #expect(a.allSatisfy { ($0.uploadGPUMilliseconds == nil) == (upload == .direct) })
    }
    for session in [session, copy] { #expect(session.device.instance.validation.messages.isEmpty) }
  }

  /// Frames that a hardware decoder would leave in a device's memory, here FFmpeg's own Vulkan device's.
  @Test(
    .enabled(if: PlantedHardware.isAvailable, "FFmpeg finds no Vulkan device"), arguments: UploadStrategy.allCases)
  func framesThatAreCopiedBackGiveTheSamePicture(upload: UploadStrategy) throws {
    let path = try Self.clip("10bit")
    var options = RenderSession.Options()
    options.upload = upload
    options.targetSize = PictureSize(width: 160, height: 90)
    options.validates = true
    options.decoder.threads = 1
    options.decoder.plant(PlantedHardware())
    if upload == .shared {
      let refused = failure { _ = try RenderSession(path: path, options: options) }
      #expect(refused?.kind == .unsupported && refused?.cause.contains("shares no memory") == true)
      options.upload = nil
    }
    let session = try RenderSession(path: path, options: options)
    #expect(session.reader.decoder.choice == .vulkan)
    let (a, b) = (try Self.views(session), try Self.views(Self.session(path, upload: .copy)))
    #expect(a.count == b.count && !a.isEmpty)
    for (x, y) in zip(a, b) { Self.expectSame(x, y) }
    if upload == .shared {
      #expect(session.upload != .shared && session.reasons[.upload]?.isEmpty == false)
    } else if upload.obstacle(on: session.device) == nil, session.uploadRefusal == nil {
      #expect(a.allSatisfy { $0.upload == upload }, "the copy goes to where the GPU reads it")
    }
    #expect(session.device.instance.validation.messages.isEmpty)
  }

  /// As on a device with a queue for copies alone.
  @Test(arguments: [UploadStrategy.staged, .copy])
  func copiesSubmittedByThemselvesGiveTheSamePicture(upload: UploadStrategy) throws {
    let path = try Self.clip("162x98")
    let device = try GPUDevice(validate: true, seams: DeviceSeams(copiesApart: true))
    let pool = PicturePool(device: device, strategies: upload == .copy ? [] : [upload])
    let reader = try FrameReader(path: path, allocator: pool)
    let whole = try Self.session(path, upload: upload)
    let renderer = try ViewRenderer(
      device: device, geometry: whole.renderer.geometry, targetSize: whole.renderer.targetSize,
      shading: whole.shading)
    var views: [FrameRing.Finished] = []
    while let frame = try reader.next() {
      try renderer.render(frame, camera: Camera(pan: 30, tilt: 10), wantsPixels: true) { views.append($0) }
    }
    try renderer.drain { views.append($0) }
    let others = try Self.views(whole)
    #expect(views.count == others.count && views.allSatisfy { $0.upload == upload && $0.uploadGPUMilliseconds != nil })
    for (x, y) in zip(views, others) { Self.expectSame(x, y) }
    #expect(device.instance.validation.messages.isEmpty)
  }

  @Test(
    .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"),
    arguments: [UploadStrategy.direct, .staged])
  func sizesMayChangeInMidStream(upload: UploadStrategy) throws {
    let name = "debian+firefox-esr-140.12.0esr/testing/web-platform/tests/media/400x300-red-resize-200x150-green"
    for path in ["\(name).mp4", "\(name).webm"].compactMap(TestFolders.clip) {
      let session = try Self.session(path, upload: upload)
      let (a, b) = (
        try Self.views(session, limit: 100), try Self.views(try Self.session(path, upload: .copy), limit: 100)
      )
      #expect(Set(a.map(\.frame.size)).count == 2 && a.count == b.count, "\(path)")
      for (x, y) in zip(a, b) { Self.expectSame(x, y) }
      if upload.obstacle(on: session.device) == nil, session.uploadRefusal == nil {
        #expect(a.allSatisfy { $0.upload == upload }, "\(path)")
      }
      #expect(session.device.instance.validation.messages.isEmpty)
    }
  }

  private static func expectSame(_ x: FrameRing.Finished, _ y: FrameRing.Finished) {
    let (p, q) = (x.pixels ?? [], y.pixels ?? [])
    let different = p.differences(from: q)
    #expect(different == 0 && p.count == q.count, "\(different) of \(p.count) bytes of frame \(x.frame.index)")
    #expect(p.isVaried, "there is a picture")
  }

  @Test func viewsShowTheFrameThatTheyClaim() throws {
    let session = try Self.session(
      try SharedClips.many("mp4"), upload: nil, size: PictureSize(width: 320, height: 180))
    var numbers: [Int?] = []
    for view in try Self.views(session, limit: 64) {
      let pixels = try #require(view.pixels)
      let reading = FrameCode.read(.flat) { u, v in pixels[(Int(v * 180) * 320 + Int(u * 320)) * 4 + 1] }
      numbers.append(reading.number)
      #expect(session.renderer.geometry.projection == .flat)
    }
    #expect(numbers == (0..<64).map { $0 })
    #expect(session.device.instance.validation.messages.isEmpty)
  }

  @Test(arguments: [UploadStrategy.direct, .staged])
  func thePoolDoesNotGrow(upload: UploadStrategy) throws {
    let session = try Self.session(try SharedClips.many("mp4"), upload: upload)
    try #require(upload.obstacle(on: session.device) == nil && session.uploadRefusal == nil)
    var made: [Int] = []
    // How many pictures are lent at once depends on how far decoder threads and GPU are behind. Frames that are kept during the first
    // third lend more than that at any time later.
    var kept: [VideoFrame] = []
    for round in 0..<300 {
      var frame = try session.reader.next()
      if frame == nil {
        try session.reader.rewind()
        frame = try session.reader.next()
      }
      let shown = try #require(frame)
      _ = try session.renderer.render(shown, camera: Camera())
      made.append(session.picturesMade)
      kept = round < 99 ? kept.suffix(7) + [shown] : []
    }
    _ = try session.renderer.drain()
    let early = made[99]
    #expect(made.allSatisfy { $0 <= early } && early > 0 && early < 40, "\(early) pictures, then \(made[299])")
    #expect(session.device.instance.validation.messages.isEmpty)
  }

  @Test func framesLiveUntilTheGPUIsDoneAndNoLonger() throws {
    let session = try Self.session(try SharedClips.many("mp4"), upload: .copy)
    weak var picture: HostPicture?
    func submit() throws {
      // The reader would keep a picture of its own, to use it again.
      let frame = try TestPictures.synthetic(1, size: PictureSize(width: 256, height: 128))
      picture = frame.picture
      _ = try session.renderer.render(frame, camera: Camera())
    }
    try submit()
    #expect(picture != nil, "the renderer keeps what it draws")
    _ = try session.renderer.drain()
    #expect(picture == nil, "and lets it go")
  }

  @Test func refusalsAreTypedAndTellWhy() throws {
    var options = RenderSession.Options()
    options.device = "no such device"
    #expect(throws: Failure.self) { try RenderSession(path: try SharedClips.many("mp4"), options: options) }
    let missing = #expect(throws: Failure.self) {
      try RenderSession(path: "/no/such/clip.mp4", options: RenderSession.Options())
    }
    #expect(missing?.kind == .input)
    // The device is still being opened when this is told.
    try TestFolders.withTemporary { folder in
      try Data("this is no video".utf8).write(to: URL(filePath: folder + "/text.mp4"))
      let text = #expect(throws: Failure.self) {
        try RenderSession(path: folder + "/text.mp4", options: RenderSession.Options())
      }
      #expect(text?.kind == .media)
    }
    let session = try Self.session(try SharedClips.many("mp4"), upload: .copy)
    #expect(session.upload == .copy && session.picturesMade == 0 && session.uploadRefusal == nil)
  }
}
