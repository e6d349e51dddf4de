extension Array where Element: Equatable {
  /// The element after another one; the first after the last, or if the element is absent.
  package func after(_ element: Element) -> Element {
    firstIndex(of: element).map { self[($0 + 1) % count] } ?? self[0]
  }
}
