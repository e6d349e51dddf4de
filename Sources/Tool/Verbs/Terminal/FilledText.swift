extension String {
  /// With blanks behind it up to so many characters: a cell of a table.
  func filled(to count: Int) -> String { self + String(repeating: " ", count: Swift.max(0, count - self.count)) }
}
