import Glibc
import Media
import Testing

/// libxml2 serves libavformat and Foundation in one process.
@Suite struct LibXMLTests {
  /// What libavformat calls behind each manifest is the function of this program, which frees nothing.
  @Test func nothingTearsItDown() throws {
    let library = try #require(dlopen("libxml2.so.2", RTLD_LAZY), "libavformat parses with another one")
    let its = try #require(dlsym(library, "xmlCleanupParser"))
    let called = try #require(dlsym(nil, "xmlCleanupParser"))
    #expect(called != its, "libxml2's own is called")
  }
}
