/// Decoding speaks of clips, their facts and their sync samples: what imports this module has those as well.
@_exported import Media
