import NIOCore

/// One link that all connections of an origin share: passes bytes as the capacity of its shape allows, to the byte.
///
/// A token bucket that holds one quantum: each tick, at an absolute deadline, passes what the capacity since the last tick
/// amounts to, divided between the connections with queued bytes. A late tick passes what it missed, up to
/// `catchUpSeconds`. Capacity that no connection can use is lost, as on a real link. Used on the origin's event loop alone.
final class BottleneckLink {
  let shape: LinkShape
  /// Time between ticks. A window of 100 ms that ends at any instant then differs from the shape by 1 % at most.
  static let quantumSeconds = 0.001
  /// What a tick may be late without a loss of capacity.
  static let catchUpSeconds = 0.1
  /// A tick that would pass fewer bytes waits for a later one, for at most ten quanta: tiny packets cost the client time.
  private static let fewestBytes = 64

  private let clock: OriginClock
  private let loop: any EventLoop
  private var waiting: [LinkHandler] = []
  /// The time up to which the capacity is spent.
  private var spentUntil = 0.0
  /// When the next tick is due; nil while the link is idle.
  private var due: Double?
  private var turn = 0
  /// Seconds of capacity that were lost because ticks were later than `catchUpSeconds`.
  private(set) var lostSeconds = 0.0
  /// What it let pass: heads, bodies, and frames of HTTP/2.
  private(set) var passed = LinkPassage()
  private let keepsTimes: Bool

  /// - Parameter keepsTimes: of what passed; they take memory with each time that the link was idle.
  init(shape: LinkShape, clock: OriginClock, loop: any EventLoop, keepsTimes: Bool) {
    (self.shape, self.clock, self.loop, self.keepsTimes) = (shape, clock, loop, keepsTimes)
  }

  /// False before the first request: what is sent then, such as the settings of HTTP/2, takes no capacity.
  var hasBegun: Bool { clock.hasBegun }

  /// The connection has bytes to send, or can send again: it takes part from the next tick on.
  func add(_ handler: LinkHandler) {
    if !waiting.contains(where: { $0 === handler }) { waiting.append(handler) }
    guard due == nil else { return }
    spentUntil = clock.now
    schedule(after: spentUntil)
  }

  func remove(_ handler: LinkHandler) { waiting.removeAll { $0 === handler } }

  private func schedule(after seconds: Double) {
    let next = ((seconds / Self.quantumSeconds).rounded(.down) + 1) * Self.quantumSeconds
    let time = max(next, shape.nextCapacity(from: seconds))
    due = time
    loop.assumeIsolated().scheduleTask(deadline: clock.instant(at: time)) { [weak self] in self?.tick() }
  }

  private func tick() {
    let now = max(clock.now, spentUntil)
    let late = now - (due ?? now)
    due = nil
    if late > Self.catchUpSeconds {
      spentUntil += late - Self.catchUpSeconds
      lostSeconds += late - Self.catchUpSeconds
    }
    waiting.removeAll { $0.isEmpty }
    let ready = waiting.filter { $0.nextChance(from: now).map { $0 <= now } ?? false }
    let budget = Int(clamping: shape.bytes(until: now) - shape.bytes(until: spentUntil))
    let demands = ready.map(\.queuedBytes)
    let isWorthwhile =
      budget >= min(Self.fewestBytes, demands.reduce(0, +)) || now - spentUntil >= 10 * Self.quantumSeconds
    if ready.isEmpty || budget > 0 && isWorthwhile {
      let span = ClosedRange(from: spentUntil, through: now)
      spentUntil = now
      turn &+= 1
      let parts = FairShare.parts(of: budget, between: demands, first: ready.isEmpty ? 0 : turn % ready.count)
      let sent = zip(ready, parts).reduce(0) { $1.1 > 0 ? $0 + $1.0.send($1.1, at: now) : $0 }
      passed.add(Int64(sent), in: span, keepsTimes: keepsTimes)
    }
    // Sending can queue more, and a connection that just joined may have scheduled the next tick.
    waiting.removeAll { $0.isEmpty }
    if due == nil, let chance = waiting.compactMap({ $0.nextChance(from: now) }).min() { schedule(after: chance) }
  }
}
