import Glibc

/// Numbers as text, by `printf`'s rules in the C locale: `formatted("%.1f", value)`.
package func formatted(_ format: String, _ numbers: any CVarArg...) -> String {
  withVaList(numbers) { numbers in
    var text = [CChar](repeating: 0, count: 512)
    let count = vsnprintf(&text, text.count, format, numbers)
    return String(
      decoding: text.prefix(max(0, min(Int(count), text.count - 1))).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
