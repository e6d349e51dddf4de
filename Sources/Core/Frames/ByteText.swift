/// `1.2 MB`, `123 MB`: powers of 1000, as disks are sold. A negative count is 0.
public func byteText(_ bytes: Int64) -> String {
  var (value, unit) = (Double(max(0, bytes)), 0)
  let units = ["B", "kB", "MB", "GB", "TB", "PB"]
  while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
  return unit == 0 || value >= 99.5
    ? "\(Int(value.rounded())) \(units[unit])" : "\((value * 10).rounded() / 10) \(units[unit])"
}
