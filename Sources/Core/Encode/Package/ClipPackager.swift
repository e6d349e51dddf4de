internal import CFFmpeg
import Frames
import Media

/// What `packageClip` wrote.
public struct ClipPackage: Hashable, Sendable {
  /// What a player opens, relative to the folder: a multivariant playlist of HLS, then a manifest of DASH.
  public var presentations: [String]
  /// The tracks that the package lacks, each as kind and codec: `subtitle subrip`.
  public var leftOut: [String]
  /// Pictures that the clip's edit list hides and the package holds, for others are decoded from them: those behind the
  /// list's end are shown, those before its start by players that ignore edit lists.
  public var hiddenFrames = 0
}

/// Writes a clip as HLS and DASH into a new folder, by copying its packets: one rung and its audio tracks, in fragmented
/// MP4 whose segments begin at the clip's sync samples and last two seconds or more.
///
/// Pictures keep their time stamps, counted from the clip's start. What the containers tell of spheres, stereo and
/// synthetic clips is kept; subtitles are left out. The folder appears as a whole, or not at all after a failure.
/// `progress` is called often, on the caller's thread, with the share of the clip that is done; it returns false to
/// cancel. Blocks until the folder is complete.
///
/// Throws `Failure`: `.input` and `.media` when the clip cannot be read, `.unsupported` when it cannot be packaged,
/// `.output` when the folder cannot be written, `.cancelled` when `progress` returned false.
public func packageClip(
  _ path: String, to folder: String, progress: (Double) -> Bool = { _ in true }
) throws -> ClipPackage {
  FFmpegCallback.install()
  let source = try PackageSource(path: path)
  let output = try OutputFolder(path: folder, entries: [])
  let video = try PackageTrack(
    source.video, name: "video", comment: source.comment, start: source.start, path: path)
  let sound = try source.sound.enumerated().map { number, stream in
    try PackageTrack(stream, name: "audio-\(number)", comment: nil, start: source.start, path: path)
  }
  let tracks = Dictionary(uniqueKeysWithValues: ([video] + sound).map { ($0.index, $0) })
  var cuts: [Int64] = []
  while let packet = try source.next() {
    guard let track = tracks[packet.pointee.stream_index] else { continue }
    guard progress(source.fraction(of: packet)) else {
      throw Failure(.cancelled, "stopped packaging '\(path)'", cause: "cancelled")
    }
    let cut = track === video ? video.cut(before: packet) : nil
    try track.add(packet)
    if let cut {
      try video.writeAllButLast(to: output)
      cuts.append(cut)
      for other in sound { try other.write(before: cuts, of: video, to: output) }
    }
    if track !== video { try track.write(before: cuts, of: video, to: output) }
  }
  for track in [video] + sound { try track.writeRest(to: output) }
  let texts = PackageTexts(
    video: try video.finish(to: output), sound: try sound.compactMap { $0.isEmpty ? nil : try $0.finish(to: output) },
    comment: source.comment)
  for (name, text) in texts.all { try output.write(Array(text.utf8), to: name) }
  try output.finish()
  return ClipPackage(
    presentations: [PackageTexts.playlist, PackageTexts.manifest], leftOut: source.leftOut,
    hiddenFrames: video.hidden)
}
