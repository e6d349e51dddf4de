/// libavformat's DASH demuxer frees libxml2's global state behind each manifest, under the hands of other threads that parse with it: others of
/// its own, and Foundation's. This takes the place of that function in all programs that hold this module: the state stays until they end.
///
/// A program comes before its libraries where names are looked up. `Package.swift` has the linker export this one: libavformat asks for it by
/// a version, so that the linker does not see by itself who does.
@_cdecl("xmlCleanupParser")
public func keepLibXML() {}
