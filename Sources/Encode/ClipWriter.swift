internal import CFFmpeg
import Frames
import Glibc

/// Makes the synthetic clip of `specification` at `path`; the extension names the container.
///
/// The file appears whole or not at all and replaces what was there. `progress` is called after every frame with frames
/// done and in all, on the caller's thread; it returns false to cancel. The container's `comment` holds the
/// specification's `SyntheticTag`; raw streams and MPEG-TS have no place for it. Spherical mapping and stereo
/// arrangement are stored by MP4 and Matroska. FFmpeg's log stays silent from then on.
///
/// Throws `Failure`: `.usage` for a specification or container that makes no sense, `.unsupported` when no encoder here
/// can do it, `.output` when the file cannot be written, `.cancelled` when `progress` said so.
public func generateClip(
  _ specification: ClipSpecification, to path: String, progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
) throws {
  try specification.validate()
  // Encoders greet and sum up in FFmpeg's log; what goes wrong is thrown.
  bench_capture_log()
  // The AV1 encoder writes to standard error on its own account unless told so.
  if specification.codec == "av1" { setenv("SVT_LOG", "0", 0) }
  let file = try OutputFile(path: path)
  try file.requireSupport(of: specification)
  let video = try VideoTrack(specification, in: file)
  var audio: AudioTrack? = nil
  if specification.hasAudio { audio = try AudioTrack(in: file) }
  try file.start(comment: specification.tag.comment)
  for number in 0..<specification.frames {
    try video.write(frame: number, to: file)
    let seconds = specification.duration * Double(number + 1) / Double(specification.frames)
    try audio?.write(until: seconds, to: file)
    guard progress(number + 1, specification.frames) else {
      throw Failure(.cancelled, "stopped writing '\(path)'", cause: "cancelled after frame \(number)")
    }
  }
  try video.finish(to: file)
  try audio?.finish(to: file)
  try file.finish()
}
