extension RungTable {
  /// Five rungs of 1 to 12 Mbit/s in segments of 4 s, ten minutes, each segment of its rung's bitrate.
  public static let builtIn: RungTable = {
    let bitrates = [1e6, 2.5e6, 5e6, 8e6, 12e6]
    do {
      return try RungTable(name: "builtin", bitrates: bitrates, durations: Array(repeating: 4, count: 150))
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}
