import Frames
import Logging

let runLog = engineLogger("Run")
