import Frames
import Glibc

/// The thread of the bus: connects, takes the player's name, answers calls and tells of changes, until it is stopped.
struct BusThread: Sendable {
  let mailbox: Mailbox
  /// As `DBUS_SESSION_BUS_ADDRESS` has it.
  let address: String
  /// Called when there are requests for the player.
  let onRequest: @Sendable () -> Void

  /// Seconds: a bus that does not answer by then is left alone.
  private static let patience = 10.0
  /// Seconds between attempts to find a bus that has gone, at first and at most.
  private static let (pause, longestPause) = (1.0, 60.0)
  /// Messages that are read before news are looked for again.
  private static let batch = 100
  /// Milliseconds between looks while the bus has not answered.
  private static let look: Int32 = 20

  func run() {
    guard let library = BusLibrary.load() else { return }
    var (pause, hasServed) = (Self.pause, false)
    while !mailbox.isStopped {
      if let connection = BusConnection(address, library), serve(connection, library) {
        (pause, hasServed) = (Self.pause, true)
      } else if !hasServed {
        // A bus that has never answered is not looked for again.
        return desktopLog.debug("no session bus answers: a desktop cannot control the player")
      }
      rest(pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func rest(_ seconds: Double) {
    let end = MonotonicTime.now.advanced(byMilliseconds: seconds * 1000)
    while !mailbox.isStopped, MonotonicTime.now < end {
      _ = mailbox.takeNews()
      mailbox.wait(seconds: end.seconds(since: .now))
    }
  }

  /// How far the connection has come: it has an address of its own, then the player's name.
  private enum Stage {
    case greeting(UInt32)
    case naming(UInt32, isInstance: Bool)
    case named
    case refused
  }

  /// Answers until the bus has gone or the player stops; whether it had the name.
  private func serve(_ connection: borrowing BusConnection, _ library: BusLibrary) -> Bool {
    guard let hello = connection.callBus("Hello") else { return false }
    var stage = Stage.greeting(hello)
    var told: PlayerState?
    var hasMore = false
    let end = MonotonicTime.now.advanced(byMilliseconds: Self.patience * 1000)
    while !mailbox.isStopped {
      var isNamed = false
      if case .named = stage { isNamed = true }
      if case .refused = stage { return false }
      if !isNamed, MonotonicTime.now > end { return false }
      let wait = hasMore ? 0 : isNamed ? -1 : Self.look
      guard connection.exchange(beside: mailbox.news, milliseconds: wait) else { return isNamed }
      hasMore = read(connection, library, &stage)
      guard isNamed else { continue }
      tell(connection, &told)
    }
    if case .named = stage { return true }
    return false
  }

  /// Answers what has arrived; whether more may have.
  private func read(_ connection: borrowing BusConnection, _ library: BusLibrary, _ stage: inout Stage) -> Bool {
    for _ in 0..<Self.batch {
      guard !connection.isBlocked, let message = connection.next() else { return false }
      if message.isCall {
        answer(message, connection, library)
      } else {
        stage = advance(stage, message, connection)
      }
    }
    return true
  }

  /// What an answer of the bus leads to.
  private func advance(_ stage: Stage, _ message: borrowing BusMessage, _ connection: borrowing BusConnection) -> Stage
  {
    switch stage {
    case .greeting(let number) where message.answers == number:
      return message.isReply ? naming(connection, isInstance: false) : .refused
    case .naming(let number, let isInstance) where message.answers == number:
      // 1: owner of the name.
      if message.isReply, message.number == 1 {
        desktopLog.debug("a desktop can control the player", metadata: ["name": "\(Self.name(isInstance))"])
        return .named
      }
      return isInstance ? .refused : naming(connection, isInstance: true)
    default: return stage
    }
  }

  private func naming(_ connection: borrowing BusConnection, isInstance: Bool) -> Stage {
    // 4: do not wait for the name.
    connection.callBus("RequestName", [.string(Self.name(isInstance))], flags: 4)
      .map { .naming($0, isInstance: isInstance) } ?? .refused
  }

  /// Of the first player of a session, and of further ones, as MPRIS wants it.
  private static func name(_ isInstance: Bool) -> String {
    isInstance ? "\(MPRISObject.name).instance\(getpid())" : MPRISObject.name
  }

  private func answer(_ message: borrowing BusMessage, _ connection: borrowing BusConnection, _ library: BusLibrary) {
    guard let call = message.call else { return }
    var answer = MPRISObject.answer(call, mailbox.state) { library.machine }
    if case .reply(_, let request?) = answer {
      if mailbox.post(request) {
        onRequest()
      } else {
        answer = .failure(name: "LimitsExceeded", text: "\(Mailbox.limit) requests wait for the player")
      }
    }
    guard message.wantsReply else { return }
    switch answer {
    case .reply(let values, _): connection.reply(to: message, values)
    case .failure(let name, let text): connection.refuse(message, name: name, text: text)
    }
  }

  /// Tells clients what has changed.
  private func tell(_ connection: borrowing BusConnection, _ told: inout PlayerState?) {
    guard !connection.isBlocked else { return }
    let (state, jump) = mailbox.takeNews()
    for change in MPRISProperty.changes(from: told, to: state) {
      connection.signal(
        MPRISObject.properties, "PropertiesChanged",
        [.string("org.mpris.\(change.interface)"), .table(change.values), .strings([])])
    }
    told = state
    if let jump {
      connection.signal("org.mpris.\(MPRISProperty.player)", "Seeked", [.int64(jump.microseconds)])
    }
  }
}
