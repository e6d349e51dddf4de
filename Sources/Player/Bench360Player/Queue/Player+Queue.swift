extension Player {
  /// A clip in the queue of a player.
  public struct Item: Sendable, Hashable {
    /// Of a file, a URL, or a playlist or manifest of HLS or DASH.
    public var path: String
    /// What the caller knows of it: the player's `metadata` once it is shown.
    public var metadata: Metadata

    public init(_ path: String, metadata: Metadata = Metadata()) { (self.path, self.metadata) = (path, metadata) }
  }

  /// A player of several clips, one after the other.
  public convenience init(_ items: [Item], options: Options = Options()) {
    self.init(options: options)
    upNext = items
    advance()
  }

  /// The clips that follow, in order: each is opened, and its first pictures are decoded, before the one that is shown has ended.
  ///
  /// It may be changed at any time; a clip is taken out of it when it is shown. `load` and `unload` leave it as it is, and a clip that
  /// loops is not left. A clip that cannot be played is told by `Event.trouble`, and the next one follows; the last one's is
  /// `Status.failed`. Each is told of by `Event.moved`.
  public var upNext: [Item] {
    get { desk.upNext }
    set { desk.upNext = newValue }
  }

  /// Goes to the first clip of `upNext` at once, and plays it where the one before was playing. Returns false where there is none.
  @discardableResult
  public func advance() -> Bool { desk.advance(from: options.start) }
}
