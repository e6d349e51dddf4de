import Bench360Player

// Looks at pictures of a clip without a window: each is to be that of its place, and another one than the picture before it.

let path = CommandLine.arguments.dropFirst().first ?? "clip.mp4"
var options = Player.Options()
options.output = .off
let player = Player(path, options: options)
try player.attach(to: .offscreen(size: PictureSize(width: 320, height: 180)))
let first = try await player.image(at: .zero)
guard let duration = player.state.duration else { fatalError("'\(path)' does not say how long it lasts") }
var (last, faults) = (first, 0)
let count = 8
for number in 1..<count {
  let place = MediaTime(seconds: duration.seconds * Double(number) / Double(count))
  let image = try await player.image(at: place)
  let isWrong = image.time > place || image.pixels == last.pixels
  if isWrong { faults += 1 }
  print("\(place.seconds) s: picture of \(image.time.seconds) s\(isWrong ? ", which is wrong" : "")")
  last = image
}
print(faults == 0 ? "all \(count) pictures are right" : "\(faults) of \(count) pictures are wrong")
