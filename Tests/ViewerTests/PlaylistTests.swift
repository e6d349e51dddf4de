import Testing
import Viewer

@Suite struct PlaylistTests {
  @Test func filesPlayInOrder() {
    var list = Playlist(["a", "b", "c"])
    #expect(list.current == "a" && list.hasNext && !list.hasPrevious)
    _ = (list.move(1), list.move(1))
    #expect(list.current == "c")
    let (on, back) = (list.move(1), list.move(-1))
    #expect(!on && back && list.current == "b")
    let nowhere = list.move(0)
    #expect(!nowhere)
    list.replace(with: [])
    #expect(list.current == "b")
    list.replace(with: ["x"])
    #expect(list.current == "x" && !list.hasNext && !list.hasPrevious)
    #expect(Playlist([]).current == nil)
  }

  @Test func refusedFilesAreSkipped() {
    var list = Playlist(["a", "b", "c"])
    _ = list.move(1)
    list.refuse("b")
    var moved = list.move(-1)
    #expect(list.refused == ["b"] && moved && list.current == "a")
    moved = list.move(1)
    #expect(moved && list.current == "c", "not b again")
    list.refuse("c")
    #expect(list.current == "c" && list.file(-1) == "a")
    _ = list.move(-1)
    list.refuse("a")
    #expect(!list.hasNext && !list.hasPrevious)
  }
}
