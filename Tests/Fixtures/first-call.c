// A program whose first call of FFmpeg has arguments of each kind: in registers for integers and for floating point, and on the stack.
#include <libavutil/log.h>
#include <stddef.h>

int main(void) {
  av_log(NULL, AV_LOG_ERROR, "%d %d %s %g %g %g %g %g %g %g %g %g %d %d %d\n", 1, 2, "three", 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5,
         12.5, 13, 14, 15);
  return 0;
}
