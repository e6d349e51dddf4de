import Bench360Player

/// Plays a clip with the ads of a file or URL of VMAP or VAST, in memory. Leaves each ad that may be left at once. What happened, a line each.
func play(_ clip: String, withAds ads: String) async throws -> [String] {
  var options = Player.Options()
  options.ads = ads
  let player = Player(clip, options: options)
  let events = player.events
  try player.attach(to: .offscreen(size: PictureSize(width: 320, height: 180)))
  player.play()
  var lines: [String] = []
  for await event in events {
    switch event {
    case .ad(let ad?):
      lines.append("ad \(ad.number): \(ad.title ?? "without a title")")
      if ad.secondsToSkip == 0 { player.skipAd() }
    case .ad(nil): lines.append("the clip goes on")
    case .trouble(let failure): lines.append("\(failure)")
    case .status(let status) where status.isOver: return lines + ["\(status)"]
    default: break
    }
  }
  return lines
}
