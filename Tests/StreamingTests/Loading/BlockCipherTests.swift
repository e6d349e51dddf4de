import Foundation
import Frames
import Media
import Support
import Testing

import Streaming

/// Segments that openssl encrypted, decrypted while they arrive.
@Suite(.tier(.test)) struct BlockCipherTests {
  private static func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { (byte: UInt8) -> String in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { (place: Int) -> UInt8 in
      UInt8(digits[place] * 16 + digits[place + 1])
    }
  }

  private static func encrypted(_ plain: [UInt8], key: [UInt8], vector: [UInt8]) throws -> [UInt8] {
    let run = try CommandOutput.of(
      "openssl", ["enc", "-aes-128-cbc", "-K", hexadecimal(key), "-iv", hexadecimal(vector)], input: Data(plain))
    try #require(run.status == 0, "\(run.errors)")
    return [UInt8](run.output)
  }

  /// In pieces of random lengths; nil where the end is wrong.
  private static func decrypted(
    _ bytes: [UInt8], key: [UInt8], vector: [UInt8], _ generator: inout SeededGenerator
  ) throws -> [UInt8]? {
    let cipher = try BlockCipher(key: key, vector: vector)
    var (plain, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while !rest.isEmpty {
      let piece = rest.prefix(.random(in: 0...[1, 7, 40, 3000].randomElement(using: &generator)!, using: &generator))
      plain += piece.withUnsafeBytes { cipher.decrypt($0) }
      rest = rest.dropFirst(piece.count)
    }
    return cipher.finish().map { plain + $0 }
  }

  @Test func readsWhatOpensslWrites() throws {
    var generator = SeededGenerator(for: "reads what openssl writes")
    for length in Array(0...17) + [31, 32, 33] + (0..<5).map({ _ in Int.random(in: 34...20_000, using: &generator) }) {
      let (key, vector) = (Self.random(16, &generator), Self.random(16, &generator))
      let plain = Self.random(length, &generator)
      let coded = try Self.encrypted(plain, key: key, vector: vector)
      let isSame = try Self.decrypted(coded, key: key, vector: vector, &generator) == plain
      #expect(isSame, "\(length) bytes, seed \(generator.seed)")
    }
  }

  /// NIST SP 800-38A, F.2.2. Its last block is no padding: it never comes out.
  @Test func readsThePublishedVectors() throws {
    let cipher = try BlockCipher(
      key: Self.bytes("2b7e151628aed2a6abf7158809cf4f3c"), vector: Self.bytes("000102030405060708090a0b0c0d0e0f"))
    let coded = Self.bytes(
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7")
    let plain = coded.withUnsafeBytes { cipher.decrypt($0) }
    #expect(
      Self.hexadecimal(plain)
        == "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef")
    #expect(cipher.finish() == nil)
  }

  @Test func aWrongKeyAndACutSegmentAreFound() throws {
    // A wrong key leaves what looks like padding in one of 256 cases: the seed is one without.
    var generator = SeededGenerator(seed: 1)
    for length in [0, 1, 15, 16, 17, 1000, 4096] {
      let (key, vector) = (Self.random(16, &generator), Self.random(16, &generator))
      let coded = try Self.encrypted(Self.random(length, &generator), key: key, vector: vector)
      let other = Self.random(16, &generator)
      #expect(try Self.decrypted(coded, key: other, vector: vector, &generator) == nil, "\(length) bytes")
      for cut in [1, 5, 15, coded.count] {
        let found = try Self.decrypted(Array(coded.dropLast(cut)), key: key, vector: vector, &generator)
        #expect(found == nil, "\(length) bytes without the last \(cut)")
      }
    }
  }

  @Test(arguments: [(0, 16), (15, 16), (17, 16), (16, 15), (16, 0)])
  func otherLengthsAreRefused(key: Int, vector: Int) {
    let failure = #expect(throws: Failure.self) {
      _ = try BlockCipher(key: Array(repeating: 1, count: key), vector: Array(repeating: 1, count: vector))
    }
    #expect(failure?.kind == .media)
    let lengths = key == 16 ? "its initialisation vector has \(vector)" : "its key has \(key)"
    #expect(failure?.cause == "\(lengths) bytes, not 16")
  }
}
