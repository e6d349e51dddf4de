import Frames
import GPU

/// The pictures in one atlas of a drawer, with their places. A full atlas is cleared, and needed pictures are placed
/// again.
struct PlacedPictures<Key: Hashable> {
  private let store: QuadDrawer.Store
  private var packer: ShelfPacker
  private var places: [Key: Quad.Texels] = [:]
  /// A picture of the current canvas did not fit, but would fit into an empty atlas.
  private(set) var isFull = false

  init(_ store: QuadDrawer.Store, of drawer: QuadDrawer) {
    self.store = store
    packer = ShelfPacker(side: drawer.side)
  }

  mutating func beginCanvas() { isFull = false }

  func place(of key: Key) -> Quad.Texels? { places[key] }

  /// The picture's place in the atlas, into which it is copied when new; nil: there is no room.
  mutating func place(_ bytes: [UInt8], width: Int, height: Int, as key: Key, in drawer: QuadDrawer) -> Quad.Texels? {
    guard let found = packer.place(width: width, height: height) else {
      isFull = isFull || (width <= drawer.side && height <= drawer.side)
      return nil
    }
    let texels = Quad.Texels(left: found.left, top: found.top, width: width, height: height)
    drawer.add(bytes, at: texels, of: store)
    places[key] = texels
    return texels
  }

  mutating func removeAll(from drawer: QuadDrawer) {
    isFull = false
    packer.removeAll()
    places.removeAll(keepingCapacity: true)
    drawer.forgetWaiting(store)
  }
}
