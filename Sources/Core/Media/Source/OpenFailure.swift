internal import CFFmpeg
import Frames
import Glibc
import Logging

/// Why an input could not be opened, by libavformat's status and what led to it.
///
/// - Parameter source: which may know better; nil where it could not be opened itself.
func openFailure(
  _ path: String, _ status: Int32, _ errors: FFmpegErrors, _ limits: RequestLimits?, _ interruption: Interruption,
  source: (any ByteSource)? = nil
) -> Failure {
  let attempt = "cannot open '\(path)'"
  mediaLog.debug(
    "opening failed",
    metadata: ["path": "\(redactingSecrets(ofArgument: path))", "status": "\(redactingSecrets(errors.reason(status)))"])
  if let name = limits?.awaited {
    return Failure(
      .input, attempt, cause: "'\(name)', which it names, is missing",
      remedy: "copy the files of the playlist to where it names them, or name the stream's URL")
  }
  if let refusal = limits?.refusal {
    return Failure(.media, attempt, cause: refusal, remedy: "the playlist is damaged, or made to keep players busy")
  }
  if interruption.isRequested { return Failure(.cancelled, attempt, cause: "it was interrupted") }
  if status == bench_averror_exit() || interruption.shouldStop {
    let remedy =
      MediaLocation(path).isRemote
      ? "check the network, and whether the server answers"
      : namesOtherInputs(path)
        ? "it is damaged, or live and nothing is added to it" : "the file is damaged"
    return Failure(
      .cancelled, attempt, cause: "opening took longer than \(Demuxer.openingSeconds) s", remedy: remedy)
  }
  if let failure = resourceFailure(attempt, status) { return failure }
  if let cause = source?.failure {
    return Failure(.input, attempt, cause: cause, remedy: "check the network and the server")
  }
  // A demuxer that was guessed wrongly may call the bytes an invalid argument; they were read, so that neither name nor network is wrong.
  let isMisread = status == bench_averror_einval() && source?.bytes != nil
  if status == bench_averror_invaliddata() || isMisread {
    return Failure(
      .media, attempt, cause: errors.lastTwo ?? "no known media format was found in it",
      remedy: namesOtherInputs(path)
        ? "what it names is missing, damaged or not a video" : "it is truncated, damaged, or not a video")
  }
  guard MediaLocation(path).isRemote else {
    return Failure(.input, attempt, cause: errors.reason(status), remedy: "check the name and that it can be read")
  }
  return Failure(
    .input, attempt, cause: networkReason(status, errors), remedy: "check the URL, the network and the server")
}

/// The resource that this process lacks, by `status`; nil where the input is at fault.
package func resourceFailure(_ attempt: String, _ status: Int32) -> Failure? {
  switch -status {
  case ENOMEM:
    Failure(
      .failed, attempt, cause: "out of memory",
      remedy: "free memory, or raise the limit of this process (ulimit -v)")
  case EMFILE, ENFILE:
    Failure(.failed, attempt, cause: "too many open files", remedy: "raise the limit of open files (ulimit -n)")
  case EAGAIN:
    Failure(
      .failed, attempt, cause: "the system gives no more threads",
      remedy: "end other programs, raise the limits (ulimit -u, ulimit -v), or use fewer --threads")
  default: nil
  }
}

/// What went wrong on the network: libavformat calls an unknown host an input/output error, and says more in its log.
private func networkReason(_ status: Int32, _ errors: FFmpegErrors) -> String {
  guard status == bench_averror_eio(), let logged = errors.last else { return errors.reason(status) }
  return logged
}
