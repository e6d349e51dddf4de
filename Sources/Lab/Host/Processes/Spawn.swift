import Frames
import Glibc

/// Starts programs. Descriptors of this process do not reach them but for the three that are named.
///
/// By `posix_spawn`, not by swift-subprocess (1.0.2, tried on Linux): that keeps eight descriptors and six threads after the first process,
/// where `run` needs eight descriptors in all; on a busy machine its children reach `main` 1 to 5 ms later, which would count as time to
/// the first frame; and it resets every signal, so that a trial under `nohup` would receive SIGHUP.
package enum Spawn {
  /// Where a process belongs.
  package enum Place {
    /// A process group of its own: a terminal's Ctrl-C is the parent's to pass on.
    case ownGroup
    /// A session of its own, without a terminal: asking for a password fails instead of waiting for it, unseen.
    case ownSession
  }

  /// What a process finds as its first three descriptors; each is this process's, and stays open here. Nil is `/dev/null`.
  package struct Streams {
    var input: Int32?
    var output: Int32?
    /// Nil: this process's own.
    var error: Int32?

    package init(input: Int32? = nil, output: Int32? = nil, error: Int32? = nil) {
      (self.input, self.output, self.error) = (input, output, error)
    }
  }

  /// Starts `arguments[0]` with the signals that stop it at their defaults.
  ///
  /// Throws the error number of what failed; nothing is left behind then.
  package static func start(
    _ executable: String, _ arguments: [String], environment: [String: String], _ streams: Streams, _ place: Place
  ) throws(SystemError) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which Swift does not see.
    let placing = place == .ownSession ? newSession : Int16(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setflags(&attributes, placing | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    func connect(_ descriptor: Int32?, as standard: Int32, _ mode: Int32) {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
      } else {
        posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", mode, 0)
      }
    }
    connect(streams.input, as: STDIN_FILENO, O_RDONLY)
    connect(streams.output, as: STDOUT_FILENO, O_WRONLY)
    if let error = streams.error { posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO) }

    let (texts, variables) = (copies(arguments), copies(environment.map { "\($0)=\($1)" }))
    defer { for text in texts + variables { free(text) } }
    var id: pid_t = 0
    let status = posix_spawn(&id, executable, &actions, &attributes, texts, variables)
    guard status == 0 else { throw SystemError(status) }
    return id
  }

  /// A pipe of which neither end reaches a process that is started. Throws the error number.
  package static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// As C takes a list of texts; each to be freed.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}
