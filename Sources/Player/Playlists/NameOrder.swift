/// Whether one name comes before another: without regard to case, and numbers by their value, so that 2 is before 10.
package func namesInOrder(_ a: String, _ b: String) -> Bool {
  let (first, second) = (nameParts(a), nameParts(b))
  for (x, y) in zip(first, second) where x != y {
    if let p = Int(x), let q = Int(y), p != q { return p < q }
    return x < y
  }
  return first.count == second.count ? a < b : first.count < second.count
}

/// Digits and other letters apart.
private func nameParts(_ name: String) -> [String] {
  var parts: [String] = []
  var wasDigit: Bool?
  for character in name.lowercased() {
    let isDigit = character.isASCII && character.isNumber
    if isDigit == wasDigit { parts[parts.count - 1].append(character) } else { parts.append(String(character)) }
    wasDigit = isDigit
  }
  return parts
}
