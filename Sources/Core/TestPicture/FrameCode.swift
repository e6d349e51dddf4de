import Frames

/// The machine-readable frame number that every synthetic frame shows.
///
/// A number of 24 bits and its CRC-8 make 32 bits; each bit is a cell, dark for 0 and bright for 1, and tiles of 8 × 4
/// cells repeat all over the picture. An upright view at least 26° high and 16:9, or any view that is at least 46° wide
/// and high, sees cells of every bit, whichever way it looks. Readers vote for each bit alone, so cells of cut tiles
/// count. Cells are legible from about 3 pixels: pictures 480 wide on the sphere, 160 wide when flat.
///
/// Pictures of a ladder show their rung in the number's upper four bits, and another check sum, by which readers tell
/// both kinds of picture apart.
public enum FrameCode {
  public typealias Layout = SyntheticTag.Projection

  /// Numbers run from 0 to below this.
  public static let capacity = 1 << 24
  /// Luma of the two kinds of cell, in 8-bit code values of either range.
  public static let dark: UInt8 = 30
  public static let bright: UInt8 = 225
  /// Luma up to which a cell is read as dark, and from which as bright. A value between them is neither.
  package static let (darkLimit, brightLimit): (UInt8, UInt8) = (112, 144)
  public static let bitCount = 32

  /// One cell in the normalised coordinates of one eye's picture: u to the right and v down, both in [0, 1).
  public struct Cell: Hashable, Sendable {
    /// 0 … 23: the number from its lowest bit; 24 … 31: the check sum from its lowest bit.
    public let bit: Int
    /// Centre.
    public let u: Double
    public let v: Double
    /// Extent; a cell may cross u = 1 and continue at u = 0.
    public let width: Double
    public let height: Double
  }

  /// The result of reading the cells of one picture.
  public enum Reading: Hashable, Sendable {
    case number(Int)
    /// A frame of a ladder: its number, and the rung that it was encoded for, one of `rungs`.
    case ladder(number: Int, rung: Int)
    case unreadable(Reason)

    /// The frame's number, of either kind of picture.
    public var number: Int? {
      switch self {
      case .number(let number), .ladder(let number, _): number
      case .unreadable: nil
      }
    }

    /// Nil where the picture shows no rung.
    public var rung: Int? {
      if case .ladder(_, let rung) = self { rung } else { nil }
    }
  }

  /// Why a picture shows no frame number.
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    /// No cell of these bits was visible, or all were neither dark nor bright.
    case missing(bits: [Int])
    /// Cells of these bits contradict each other: more than a third disagree, as in a torn picture.
    case disputed(bits: [Int])
    case checksum

    public var description: String {
      switch self {
      case .missing(let bits): "no cell of bits \(bits) can be read"
      case .disputed(let bits): "cells of bits \(bits) contradict each other"
      case .checksum: "the check sum does not fit the number"
      }
    }
  }

  /// The 32 bits that cells show for `number`, which is below `capacity`.
  public static func word(for number: Int) -> UInt32 {
    precondition((0..<capacity).contains(number), "frame number outside 24 bits")
    let bits = UInt32(number)
    return bits | UInt32(checksum(bits)) << 24
  }

  /// The frame that a word stands for: the inverse of both `word` functions.
  package static func reading(of word: UInt32) -> Reading {
    let bits = word & 0xFF_FFFF
    return switch UInt8(word >> 24) ^ checksum(bits) {
    case 0: .number(Int(bits))
    case ladderMark: .ladder(number: Int(bits) % ladderCapacity, rung: Int(bits) / ladderCapacity)
    default: .unreadable(.checksum)
    }
  }

  /// All cells of a layout; the array is made once.
  public static func cells(for layout: Layout) -> [Cell] {
    switch layout {
    case .equirectangular: sphereCells
    case .flat: flatCells
    }
  }

  /// Reads the code through `sample`, which returns luma in 8-bit code values at a place in one eye's picture, or nil
  /// where that place is not visible.
  public static func read(_ layout: Layout, sample: (_ u: Double, _ v: Double) -> UInt8?) -> Reading {
    var votes = Votes()
    for cell in cells(for: layout) {
      if let luma = sample(cell.u, cell.v) { votes.add(luma, bit: cell.bit) }
    }
    return votes.reading
  }

  /// CRC-8, polynomial x⁸ + x² + x + 1, over the number's three bytes from the lowest. It starts from ones: a black
  /// picture is not frame 0.
  static func checksum(_ number: UInt32) -> UInt8 {
    var register: UInt8 = 0xFF
    for shift in [0, 8, 16] {
      register ^= UInt8(truncatingIfNeeded: number >> UInt32(shift))
      for _ in 0..<8 { register = register & 0x80 != 0 ? register << 1 ^ 0x07 : register << 1 }
    }
    return register
  }
}

/// Counts of dark and bright cells for each bit.
struct Votes {
  private var dark = InlineArray<32, Int32>(repeating: 0)
  private var bright = InlineArray<32, Int32>(repeating: 0)

  mutating func add(_ luma: UInt8, bit: Int) {
    if luma >= FrameCode.brightLimit {
      bright[bit] += 1
    } else if luma <= FrameCode.darkLimit {
      dark[bit] += 1
    }
  }

  var reading: FrameCode.Reading {
    var word: UInt32 = 0
    var missing: [Int] = []
    var disputed: [Int] = []
    for bit in 0..<FrameCode.bitCount {
      let total = dark[bit] + bright[bit]
      if total == 0 {
        missing.append(bit)
      } else if 3 * min(dark[bit], bright[bit]) > total {
        disputed.append(bit)
      } else if bright[bit] > dark[bit] {
        word |= 1 << UInt32(bit)
      }
    }
    guard missing.isEmpty else { return .unreadable(.missing(bits: missing)) }
    guard disputed.isEmpty else { return .unreadable(.disputed(bits: disputed)) }
    return FrameCode.reading(of: word)
  }
}
