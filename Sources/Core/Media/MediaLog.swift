import Frames
import Logging

let mediaLog = engineLogger("Media")
