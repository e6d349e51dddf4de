import Foundation
import Frames
import Render
import Support
import Testing

/// Curves, primaries and tone mapping against published values, and against properties that they must have.
@Suite struct ColorConversionTests {
  static func conversion(_ primaries: String, _ transfer: String, peak: Double? = nil) -> ColorConversion {
    ColorConversion(
      ColorDescription(matrix: .bt709, range: .full, primaries: primaries, transfer: transfer, peakNits: peak))
  }

  /// ITU-R BT.2408-7, table 1 and annex; BT.2100-2, tables 4 and 5.
  @Test(
    arguments: [
      (TransferFunction.perceptualQuantizer, 0.0, 0.0), (.perceptualQuantizer, 0.5081, 0.01),
      (.perceptualQuantizer, 0.5807, 0.0203),
      (.perceptualQuantizer, 0.7518, 0.1), (.perceptualQuantizer, 0.9026, 0.4), (.perceptualQuantizer, 1, 1),
      (.hybridLogGamma, 0.5, 1.0 / 12), (.hybridLogGamma, 0.75, 3.17955 / 12), (.hybridLogGamma, 1, 1),
      (.hybridLogGamma, 0.25, 1.0 / 48), (.sRGB, 0.5, 0.214041), (.sRGB, 0.04, 0.04 / 12.92),
      (.power, 0.5, 0.189465), (.linear, 0.3, 0.3),
    ] as [(TransferFunction, Double, Double)])
  func curvesHaveTheirPublishedValues(_ transfer: TransferFunction, _ value: Double, _ light: Double) {
    #expect(abs(transfer.decode(value) - light) <= 0.0004 * max(light, 0.01), "\(transfer.decode(value))")
  }

  @Test(arguments: TransferFunction.allCases)
  func curvesRiseWithoutAStep(_ transfer: TransferFunction) {
    var last = transfer.decode(0)
    #expect(abs(last) < 1e-9)
    for step in 1...4096 {
      let light = transfer.decode(Double(step) / 4096)
      #expect(light > last && light - last < 0.01, "\(step)")
      last = light
      if !transfer.isHDR, transfer != .linear {
        #expect(abs(transfer.encode(light) - Double(step) / 4096) < 1e-6, "\(step)")
      }
    }
    #expect(abs(last - 1) < 1e-6)
  }

  /// ITU-R BT.2407-0 (2.2) for BT.2020 to BT.709, BT.2087-0 for the way back; the others by hand from SMPTE RP 177.
  @Test(arguments: [
    ("bt2020", [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187]),
    ("smpte170m", [0.9395, 0.0502, 0.0103, 0.0178, 0.9658, 0.0164, -0.0016, -0.0044, 1.0060]),
    ("bt470bg", [1.0440, -0.0440, 0, 0, 1, 0, 0, 0.0118, 0.9882]),
    ("smpte432", [1.2249, -0.2249, 0, -0.0421, 1.0421, 0, -0.0196, -0.0786, 1.0983]),
  ])
  func primariesHaveTheirPublishedMatrices(_ name: String, _ expected: [Double]) throws {
    let matrix = try #require(Primaries.named(name)).matrix(to: .bt709)
    let found = [matrix.rows.0, matrix.rows.1, matrix.rows.2].flatMap { [$0.x, $0.y, $0.z] }
    for (a, b) in zip(found, expected) { #expect(abs(a - b) <= 0.0002, "\(found)") }
  }

  @Test func whiteStaysWhite() throws {
    #expect(Primaries.names.count == 10)
    for name in Primaries.names {
      let primaries = try #require(Primaries.named(name))
      for target in [Primaries.bt709, .bt2020] {
        let white = primaries.matrix(to: target) * Vector3(1, 1, 1)
        #expect([white.x, white.y, white.z].allSatisfy { abs($0 - 1) < 1e-9 }, "\(name): \(white)")
      }
    }
  }

  /// Grey stays grey for every signalled conversion; in SDR the same grey.
  @Test func greysStayGrey() {
    for primaries in Primaries.names {
      for transfer in ["bt709", "iec61966-2-1", "bt470m", "bt470bg", "linear", "smpte2084", "arib-std-b67"] {
        let conversion = Self.conversion(primaries, transfer)
        var last = -1.0
        for step in 0...1000 {
          let value = Double(step) / 1000
          let shown = conversion.apply(Vector3(value, value, value))
          #expect(abs(shown.x - shown.y) < 1e-3 && abs(shown.z - shown.y) < 1e-3, "\(conversion) \(shown)")
          #expect(shown.y >= last - 1e-9 && shown.y <= 1, "\(conversion) falls at \(value)")
          last = shown.y
          if !conversion.transfer.isHDR, transfer != "linear" { #expect(abs(shown.y - value) < 1e-6) }
        }
        #expect(last > 0.999)
      }
    }
  }

  @Test func bt709SDRIsUnchanged() {
    for transfer in ["bt709", "smpte170m", "bt2020-10", "bt470m", "iec61966-2-1", "log100"] {
      let conversion = Self.conversion("bt709", transfer)
      #expect(conversion.isIdentity && conversion.description == "transfer \(transfer) shown as it is")
      #expect(conversion.apply(Vector3(0.1, 1.2, -0.3)) == Vector3(0.1, 1, 0))
    }
  }

  @Test func theToneCurveHasNoStep() {
    for edge in [0.7399, 0.9909] {
      #expect(abs(ToneMapping.curve(edge - 1e-9) - ToneMapping.curve(edge + 1e-9)) < 1e-3)
    }
    var last = -1.0
    for step in 0...10_000 {
      let value = ToneMapping.curve(Double(step) / 10_000)
      // The recommendation's constants are rounded: at its knees the curve may fall by a fraction of that.
      #expect(value >= last - 2e-5, "at \(step)")
      last = value
    }
    #expect(ToneMapping.curve(0) == 0 && ToneMapping.curve(1) == 1)
  }

  /// BT.2446-1's formulas in an independent implementation in Python.
  @Test(
    .enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired }, arguments: [400.0, 1000, 4000, 10_000])
  func toneMappingIsTheRecommendations(_ peak: Double) throws {
    let colors = [
      Vector3(1, 1, 1), Vector3(0.5, 0.5, 0.5), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1),
      Vector3(0.8, 0.3, 0.1), Vector3(0.01, 0.02, 0.005), Vector3(0.0001, 0, 0.0002), Vector3(0.9, 0.95, 0.2),
    ]
    let script = """
      import sys, math
      peak = float(sys.argv[1])
      for text in sys.argv[2:]:
        r, g, b = [float(x) ** (1 / 2.4) for x in text.split(",")]
        y = 0.2627 * r + 0.678 * g + 0.0593 * b
        rho = 1 + 32 * (peak / 10000) ** (1 / 2.4)
        p = math.log(1 + (rho - 1) * y) / math.log(rho)
        c = 1.077 * p if p <= 0.7399 else 0.5 * p + 0.5 if p >= 0.9909 else -1.151 * p ** 2 + 2.7811 * p - 0.6302
        sdr = 1 + 32 * (100 / 10000) ** (1 / 2.4)
        t = (sdr ** c - 1) / (sdr - 1)
        f = t / (1.1 * y)
        cb, cr = f * (b - y) / 1.8814, f * (r - y) / 1.4746
        t -= max(0.1 * cr, 0)
        out = [t + 1.4746 * cr, t - 0.16455 * cb - 0.57135 * cr, t + 1.8814 * cb]
        print(*[min(max(x, 0), 1) ** 2.4 for x in out])
      """
    let judged = try PythonJudge.run(
      script, module: "csv", ["\(peak)"] + colors.map { "\($0.x),\($0.y),\($0.z)" })
    let rows = judged.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    try #require(rows.count == colors.count, "\(judged.output)")
    for (color, row) in zip(colors, rows) {
      let ours = ToneMapping(peakNits: peak).map(color)
      // The recommendation rounds the two weights of green.
      for (a, b) in zip([ours.x, ours.y, ours.z], row) { #expect(abs(a - b) < 2e-4, "\(color) \(ours) \(row)") }
    }
  }

  @Test func conversionsAreDescribed() {
    let texts = [
      (
        Self.conversion("bt2020", "smpte2084", peak: 4000),
        "PQ (4000 cd/m²) tone-mapped by BT.2446 A, primaries bt2020 converted to bt709"
      ),
      (
        Self.conversion("bt2020", "arib-std-b67", peak: 4000),
        "HLG (1000 cd/m²) tone-mapped by BT.2446 A, primaries bt2020 converted to bt709"
      ),
      (Self.conversion("bt709", "bt709"), "transfer bt709 shown as it is"),
      (
        Self.conversion("smpte170m", "smpte170m"),
        "transfer smpte170m shown as it is, primaries smpte170m converted to bt709"
      ),
      (Self.conversion("smpte428", "bt709"), "transfer bt709 shown as it is, primaries smpte428 shown as bt709"),
      (Self.conversion("bt2020", "log100"), "transfer log100 shown as it is, primaries bt2020 shown as bt709"),
      (Self.conversion("bt709", "linear"), "linear light encoded with gamma 2.4"),
    ]
    for (conversion, text) in texts { #expect(conversion.description == text) }
  }
}
