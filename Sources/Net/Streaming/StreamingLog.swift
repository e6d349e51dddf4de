import Frames
import Logging

let streamingLog = engineLogger("Streaming")
