internal import CFFmpeg
import Frames
import Media

/// The pictures of a clip in a file: encodes them, and sets the stream's parameters.
struct VideoTrack: ~Copyable {
  private let pictures: PictureEncoder
  private let stream: UnsafeMutablePointer<AVStream>

  /// `check` is called often while the scene is prepared, and throws to stop.
  init(_ specification: ClipSpecification, in file: borrowing OutputFile, _ check: () throws -> Void) throws {
    let pictures = try PictureEncoder(specification, hasGlobalHeader: file.wantsGlobalHeader, check: check) { codec in
      try file.requireSupport(of: codec, named: specification.codec)
    }
    let stream = try file.addStream(for: pictures.encoder)
    Self.describe(stream, specification)
    self.pictures = pictures
    self.stream = stream
  }

  /// Draws and encodes one frame.
  func write(frame number: Int, to file: borrowing OutputFile) throws {
    try pass(number, to: file) {}
  }

  /// Writes what the encoder still holds. `check` is called for each packet, and throws to stop.
  func finish(to file: borrowing OutputFile, _ check: () throws -> Void) throws {
    try pass(nil, to: file, check)
  }

  private func pass(_ number: Int?, to file: borrowing OutputFile, _ check: () throws -> Void) throws {
    try pictures.encode(frame: number) { packet in
      try file.write(packet, from: pictures.encoder, to: stream)
      try check()
    }
  }
}

extension VideoTrack {
  /// Rate, spherical mapping and stereo arrangement, for containers that can hold them.
  static func describe(_ stream: UnsafeMutablePointer<AVStream>, _ clip: ClipSpecification) {
    if !clip.isVariableRate {
      let rate = AVRational(num: clip.rate.numerator, den: clip.rate.denominator)
      stream.pointee.avg_frame_rate = rate
      stream.pointee.r_frame_rate = rate
    }
    stream.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    if clip.projection == .equirectangular { addSphericalMapping(to: stream) }
    if clip.stereo != .mono || clip.projection == .equirectangular { addStereo(clip.stereo, to: stream) }
  }

  private static func addSphericalMapping(to stream: UnsafeMutablePointer<AVStream>) {
    var size = 0
    guard let mapping = av_spherical_alloc(&size) else { return }
    mapping.pointee.projection = AV_SPHERICAL_EQUIRECTANGULAR
    attach(mapping, size: size, as: AV_PKT_DATA_SPHERICAL, to: stream)
  }

  private static func addStereo(_ arrangement: StereoLayout, to stream: UnsafeMutablePointer<AVStream>) {
    guard let stereo = av_stereo3d_alloc() else { return }
    stereo.pointee.type =
      switch arrangement {
      case .mono: AV_STEREO3D_2D
      case .topBottom: AV_STEREO3D_TOPBOTTOM
      case .sideBySide: AV_STEREO3D_SIDEBYSIDE
      }
    bench_stereo3d_leave_view_unsaid(stereo)
    attach(stereo, size: MemoryLayout<AVStereo3D>.size, as: AV_PKT_DATA_STEREO3D, to: stream)
  }

  private static func attach<T>(
    _ data: UnsafeMutablePointer<T>, size: Int, as type: AVPacketSideDataType, to stream: UnsafeMutablePointer<AVStream>
  ) {
    let raw = UnsafeMutableRawPointer(data)
    if bench_stream_add_side_data(stream, type, raw.assumingMemoryBound(to: UInt8.self), size) < 0 { av_free(raw) }
  }
}
