// Arithmetic with the same result on every machine: the C library's sine may differ in its last bit, and so would the clip.

/// Sine of an angle in turns, to about 1e-9.
package func sine(turns: Double) -> Double {
  var t = turns - turns.rounded(.down)
  var sign = 1.0
  if t >= 0.5 {
    t -= 0.5
    sign = -1
  }
  if t > 0.25 { t = 0.5 - t }
  let x = 2 * Double.pi * t
  let x2 = x * x
  // Taylor's series in Horner's form; the first term left out is x¹⁵ ⁄ 15! ≤ 7e-10.
  var sum = 1.0
  for n in stride(from: 12.0, through: 2.0, by: -2.0) { sum = 1 - x2 / (n * (n + 1)) * sum }
  return sign * x * sum
}

func cosine(turns: Double) -> Double {
  sine(turns: turns + 0.25)
}
