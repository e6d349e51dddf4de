import Frames
import Logging

let sessionLog = engineLogger("Session")
