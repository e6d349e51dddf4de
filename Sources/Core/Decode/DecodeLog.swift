import Frames
import Logging

let decodeLog = engineLogger("Decode")
