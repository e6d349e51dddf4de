import Decode
import Encode
import FoundationEssentials
import Frames
import Glibc
import Host
import Media
import Verdict

/// Clips made from the input for variants that need a longer one. Deleted with their owner, even after a crash.
final class PreparedInputs {
  /// Keyed by the number of repetitions.
  private var made: [Int: RepeatedClip] = [:]
  private var wanted: [String: Int] = [:]
  /// For the record's settings.
  private(set) var reasons: [ReasonKey: String] = [:]

  /// Makes the clips that the jobs need. Drops a job whose clip cannot be made, with a warning that says why.
  ///
  /// Throws when the user stops it.
  func prepare(
    _ jobs: inout [Job], _ info: MediaInfo, _ progress: (_ text: String, _ fraction: Double) -> Void
  ) throws(Failure) -> [Record.Warning] {
    var warnings: [Record.Warning] = []
    var kept: [Job] = []
    for job in jobs {
      guard let times = job.scenario.measured.repetitions(variant: job.variant, of: info) else {
        kept.append(job)
        continue
      }
      do throws(Failure) {
        try make(times, info, progress)
        wanted[job.title] = times
        kept.append(job)
      } catch {
        guard error.kind != .cancelled else { throw error }
        warnings.append(
          .init(
            code: .leftOut, text: "\(job.title) was left out: \(error.attempt): \(error.cause)", remedy: error.remedy)
        )
      }
    }
    guard !kept.isEmpty || jobs.isEmpty else {
      throw Failure(.unsupported, "cannot measure '\(info.path)'", cause: warnings.map(\.text).joined(separator: "; "))
    }
    jobs = kept
    return warnings
  }

  /// Nil: the input itself.
  func path(for job: Job) -> String? { wanted[job.title].flatMap { made[$0]?.path } }

  private func make(
    _ times: Int, _ info: MediaInfo, _ progress: (_ text: String, _ fraction: Double) -> Void
  ) throws(Failure) {
    guard made[times] == nil else { return }
    made[times] = try RepeatedClip(info, times: times) { progress("repeating the clip \(times) times", $0) }
    let seconds = Int(saturating: (info.durationSeconds ?? 0).rounded())
    reasons[.long] =
      "variants that end in /long ran on the clip's \(seconds) s \(times) times over, its packets copied"
  }
}

/// An unnamed file: it disappears when the process ends, even after a crash.
private final class RepeatedClip {
  private let file: FileDescriptor

  /// The path by which other processes of this user open it.
  var path: String { "/proc/\(getpid())/fd/\(file.rawValue)" }

  init(_ info: MediaInfo, times: Int, _ progress: (_ fraction: Double) -> Void) throws(Failure) {
    var preparation = TrialPreparation()
    let folder = try preparation.makeFolder()
    defer { preparation.undo() }
    let isMP4 = info.container.split(separator: ",").contains("mp4")
    let path = folder + (isMP4 ? "/clip.mp4" : "/clip.mkv")
    do {
      try repeatClip(info.path, times: times, to: path) { done, total in
        progress(Double(done) / Double(total))
        return !Interrupt.isRequested
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.failed, "cannot repeat '\(info.path)'", cause: "\(error)")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.output, "cannot repeat '\(info.path)'", cause: String(cString: strerror(errno)).lowercased())
    }
    file = FileDescriptor(owning: descriptor)
  }
}
