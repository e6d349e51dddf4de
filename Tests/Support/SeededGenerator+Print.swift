extension SeededGenerator {
  /// A fresh seed, printed with the test's name.
  public init(for test: String) {
    self.init()
    print("\(test): seed \(seed)")
  }
}
