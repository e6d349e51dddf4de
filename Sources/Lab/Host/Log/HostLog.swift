import Frames
import Logging

let hostLog = engineLogger("Host")
