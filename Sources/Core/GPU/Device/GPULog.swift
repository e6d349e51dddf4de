import Frames
import Logging

let gpuLog = engineLogger("GPU")
/// Messages of the validation layer.
let vulkanLog = engineLogger("Vulkan")
