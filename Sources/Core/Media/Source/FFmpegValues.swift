package import CFFmpeg
import Frames

/// A C string that may be absent.
package func string(_ pointer: UnsafePointer<CChar>?) -> String? {
  pointer.map { String(cString: $0) }
}

extension Ratio {
  package init(_ rational: AVRational) { self.init(rational.num, rational.den) }
}
