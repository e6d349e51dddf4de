import Frames
import Overlay

/// The inputs of the layout: equal values give an equal layout.
package struct ControlRoom: Sendable, Hashable {
  package var size: PictureSize
  /// Pixels per point that the user has set.
  package var scale: Double
  package var textSize: Double
  package var hasSubtitles: Bool
  package var qualityNames: [String]
  /// Clips in the queue.
  package var fileCount: Int
  package var duration: MediaTime?
  /// Of a live stream, as wide as any of its times; nil: it is on demand.
  package var widestLiveText: String?
  package var hasAd: Bool
  package var isHighContrast: Bool
  package var words: Words

  /// - Parameter size: of the target, in pixels.
  package init(size: PictureSize, scale: Double, facts: ControlFacts) {
    (self.size, self.scale, textSize) = (size, scale, facts.window.textSize)
    isHighContrast = facts.window.isHighContrast
    hasSubtitles = !facts.subtitles.isEmpty
    qualityNames = facts.qualities.names
    fileCount = facts.files.count
    duration = facts.sliderDuration
    words = facts.words
    widestLiveText = facts.live?.widestText(words)
    hasAd = facts.ad != nil
  }
}

/// The positions of the controls, in pixels of the target: a slider along the window's bottom, and a row below. Pure.
package struct ControlLayout: Sendable, Hashable {
  package let room: ControlRoom
  package let style: ControlStyle
  package let bar: Canvas.Box
  /// Click areas of the controls. They do not overlap, and lie inside the bar.
  package private(set) var boxes: [Control: Canvas.Box] = [:]
  /// Nil if the clip's duration is unknown, and of a live stream before `follow`.
  package private(set) var track: SliderTrack?

  package init(_ room: ControlRoom, measure: TextMeasure) {
    self.room = room
    let style = ControlStyle(
      size: room.size, scale: room.scale, textSize: room.textSize, isHighContrast: room.isHighContrast)
    self.style = style
    let (width, height) = (Double(room.size.width), Double(room.size.height))
    let barHeight = min(style.barHeight, height)
    bar = Canvas.Box(left: 0, top: height - barHeight, width: width, height: barHeight)
    if room.duration != nil || room.widestLiveText != nil, columns.count >= 2 {
      boxes[.slider] = Canvas.Box(
        left: style.margin, top: bar.top, width: width - 2 * style.margin, height: style.sliderHeight)
    }
    if let duration = room.duration { stand(for: .zero, duration) }
    placeRow(width, measure)
  }

  /// The slider stands for the window of a live stream from now on; nothing moves.
  package mutating func follow(_ window: LiveWindow) { stand(for: window.start, window.end - window.start) }

  private mutating func stand(for start: MediaTime, _ duration: MediaTime) {
    guard boxes[.slider] != nil else { return }
    track = SliderTrack(left: columns.lowerBound, width: columns.count, start: start, duration: duration)
  }

  /// Of the slider's track.
  private var columns: Range<Int> {
    let left = Int(style.margin + (style.knob / 2).rounded())
    return Range(from: left, to: max(left, room.size.width - left))
  }

  /// In Tab order.
  package var controls: [Control] { Control.allCases.filter { boxes[$0] != nil } }

  package func control(at point: Canvas.Point) -> Control? {
    boxes.first { $0.value.contains(point) }?.key
  }

  /// Columns of the volume's knob, of positive length; nil if the bar has none, or none with room for a knob.
  package var volumeRange: ClosedRange<Double>? {
    guard let box = boxes[.volume], box.width > 2 * style.knob else { return nil }
    return ClosedRange(from: box.left + style.knob, through: box.right - style.knob)
  }

  /// 0 … 1, of a column of the target.
  package func volume(at x: Double) -> Double? {
    guard x.isFinite, let range = volumeRange else { return nil }
    return min(max(0, (x - range.lowerBound) / (range.upperBound - range.lowerBound)), 1)
  }

  private mutating func placeRow(_ width: Double, _ measure: TextMeasure) {
    let widths = widths(measure)
    let shown = shown(widths, in: width - 2 * style.margin)
    var left = style.margin
    for control in Control.left where shown.contains(control) {
      place(control, at: left, widths[control])
      left += (widths[control] ?? 0) + style.gap
    }
    var right = width - style.margin
    for control in Control.right.reversed() where shown.contains(control) {
      right -= widths[control] ?? 0
      place(control, at: right, widths[control])
      right -= style.gap
    }
  }

  private mutating func place(_ control: Control, at left: Double, _ width: Double?) {
    boxes[control] = Canvas.Box(
      left: left, top: bar.top + style.sliderHeight, width: width ?? 0, height: style.button)
  }

  /// Texts have room for their widest value, so that no control moves when a text changes.
  private func widths(_ measure: TextMeasure) -> [Control: Double] {
    var widths: [Control: Double] = [:]
    for control in Control.left + Control.right { widths[control] = style.button }
    widths[.volume] = 2 * style.button
    let time = measure(room.widestLiveText ?? ClockText.widest(room.duration), style.text).width
    widths[.time] = Double(time) + 2 * style.padding
    widths[.speed] = max(style.button, Double(measure(room.words.rate(0.25), style.text).width) + 2 * style.padding)
    let names = room.qualityNames + [room.words[.auto]]
    let widest = names.map { Double(measure($0, style.text).width) }.max() ?? 0
    widths[.quality] = room.qualityNames.isEmpty ? nil : max(style.button, widest + 2 * style.padding)
    let files = Double(measure("\(room.fileCount) / \(room.fileCount)", style.text).width) + 2 * style.padding
    widths[.playlist] = room.fileCount > 1 ? max(style.button, files) : nil
    if !room.hasSubtitles { widths[.subtitles] = nil }
    let badge =
      [LiveWindow.Badge.live, .ended].map { Double(measure($0.text(room.words), style.text).width) }.max() ?? 0
    widths[.live] = room.widestLiveText == nil ? nil : (badge + style.dot + 2.5 * style.padding).rounded(.up)
    let ad = Double(measure(AdFacts.widest.text(room.words), style.text).width)
    widths[.ad] = room.hasAd ? (ad + 2 * style.padding).rounded(.up) : nil
    return widths
  }

  /// The controls that fit.
  private func shown(_ widths: [Control: Double], in room: Double) -> Set<Control> {
    var shown = Set(widths.keys)
    for group in Control.leaving {
      let needed = shown.reduce(0) { $0 + (widths[$1] ?? 0) + style.gap }
      if needed <= room { break }
      shown.subtract(group)
    }
    return shown
  }
}
