import ArgumentParser
import Decode
import Encode
import FoundationEssentials
import Frames
import Media
import Playback
import Render
import Session
import Verdict

/// The child process in which `report` draws a clip, so that drawing can be killed. Internal.
struct PictureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "picture", abstract: "Draw a frame of a record's clip.", shouldDisplay: false)

  func run() throws {
    guard let request = try? JSONDecoder().decode(Request.self, from: Data(OpenFile.standardInput.read()))
    else { return }
    try OpenFile.standardOutput.write(JSONEncoder().encode(Self.picture(request)) + [UInt8(ascii: "\n")])
  }

  /// The files that may be the clip, and how the record's run drew it.
  struct Request: Codable {
    var paths: [String]
    var input: Record.Input
    var viewing: Record.Settings.Viewing
    var geometry: Record.Settings.Geometry
  }

  enum Event: Codable {
    case drawn(jpeg: Data, size: PictureSize, seconds: Double)
    /// The reason completes `There is no picture of the clip: …`.
    case missing(reason: String)
  }

  /// Pixels of the longer side, and bytes, which grow by a third in the page: pages are sent by mail.
  private static let (side, mostBytes) = (640.0, 45_000)

  private static func picture(_ request: Request) -> Event {
    guard let path = request.paths.first(where: { sha256(ofFile: $0) == request.input.sha256 }) else {
      return .missing(reason: "the file of its name has changed since the run")
    }
    // A playlist would open other files, which the record does not identify.
    guard !namesOtherInputs(path) else { return .missing(reason: "the file is a playlist") }
    do {
      return try draw(path, request)
    } catch {
      programLog.debug("no picture", metadata: ["cause": "\(error)"])
      return .missing(reason: "bench360 could not draw it")
    }
  }

  private static func draw(_ path: String, _ request: Request) throws -> Event {
    var options = RenderSession.Options()
    options.shading = .fragment
    options.geometry = GeometryChoice(request)
    options.targetSize = size(request)
    let session = try RenderSession(path: path, options: options)
    // The sync sample nearest to the middle: the first frame of a clip is often black, and other frames take longer to decode.
    let middle = MediaTime(seconds: (session.reader.info.durationSeconds ?? 0) / 2)
    let anyTime = MediaTime(seconds: 1e9)
    let wanted = SeekRequest(target: middle, toleranceBefore: anyTime, toleranceAfter: anyTime)
    guard let frame = try session.reader.seek(wanted) else {
      throw Failure(.media, "cannot draw '\(path)'", cause: "no frame could be decoded")
    }
    _ = try session.renderer.render(frame, camera: Camera(request.viewing.view), wantsPixels: true)
    guard let pixels = try session.renderer.drain().last?.pixels else {
      throw Failure(.device, "cannot draw '\(path)'", cause: "the device returned no pixels")
    }
    var jpeg: [UInt8] = []
    for quality in [85, 70, 50, 25] where jpeg.isEmpty || jpeg.count > mostBytes {
      jpeg = try encodeJPEG(rgba: pixels, size: options.targetSize, quality: quality)
    }
    return .drawn(jpeg: Data(jpeg), size: options.targetSize, seconds: frame.presentationTime.seconds)
  }

  /// The shape of the run's view; of a run that drew none, the shape of the clip.
  private static func size(_ request: Request) -> PictureSize {
    let clip = request.input.size.map { size in
      (Double(size.width) * (request.input.sampleAspect?.value ?? 1), Double(size.height))
    }
    let view = request.viewing.size.map { (Double($0.width), Double($0.height)) }
    let (width, height) = view ?? clip ?? (16, 9)
    let scale = side / max(width, height, 1)
    func even(_ length: Double) -> Int { max(16, Int(saturating: (length * scale / 2).rounded()) * 2) }
    return PictureSize(width: even(width), height: even(height))
  }
}

extension GeometryChoice {
  /// The geometry that the record's run used; the whole picture, flat, where it drew none.
  fileprivate init(_ request: PictureCommand.Request) {
    let geometry = request.geometry
    guard request.viewing.view != nil else {
      self.init(projection: .flat, stereo: .mono)
      return
    }
    self.init(
      projection: geometry.projection.flatMap { Projection(rawValue: $0) },
      stereo: geometry.stereo.flatMap { StereoLayout(rawValue: $0) },
      eye: geometry.eye.flatMap { PictureGeometry.Eye(rawValue: $0) } ?? .left,
      sphere: geometry.sphere.flatMap { SphereShape(rawValue: $0) } ?? .ray, bounds: geometry.bounds,
      pose: geometry.pose,
      lensFieldOfView: geometry.lensFov ?? 180)
  }
}

extension Camera {
  fileprivate init(_ view: Record.Settings.View?) {
    let view = view ?? Record.Settings.View()
    self.init(pan: view.pan, tilt: view.tilt, roll: view.roll, fieldOfView: view.fov)
  }
}
