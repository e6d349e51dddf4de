// A player whose faults are known: draws the code of numbered frames into a window as large as its screen, at the times of a schedule.
//
// usage: PlantedPlayer SCHEDULE LOG [INPUT]
//
// Each line of SCHEDULE is one painting: MILLISECONDS NUMBER FIRST LAST, with tiles FIRST to LAST of the code; the time is from when the
// window is mapped. LOG gets a line for each: NUMBER FIRST LAST BEGAN DONE, nanoseconds of CLOCK_MONOTONIC just before its requests and
// just after the server has carried them out. INPUT is not used.
#include <X11/Xlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void sleep_until(int64_t instant) {
  struct timespec time = {.tv_sec = instant / 1000000000, .tv_nsec = instant % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL)) {
  }
}

// CRC-8 with the polynomial x^8 + x^2 + x + 1, from ones, as FrameCode has it.
static uint32_t word_of(uint32_t number) {
  uint8_t sum = 0xFF;
  for (int shift = 0; shift <= 16; shift += 8) {
    sum ^= (uint8_t)(number >> shift);
    for (int bit = 0; bit < 8; bit++) sum = (uint8_t)(sum & 0x80 ? sum << 1 ^ 0x07 : sum << 1);
  }
  return number | (uint32_t)sum << 24;
}

static Display *display;
static Window window;
static GC pens[2];
static int width, height;

static void paint(uint32_t number, int first, int last) {
  uint32_t word = word_of(number);
  for (int tile = first; tile <= last; tile++) {
    XRectangle cells[2][32];
    int counts[2] = {0, 0};
    for (int bit = 0; bit < 32; bit++) {
      double u = (tile % 3 + 0.5) / 3 + (bit % 8 - 3.5) / 48, v = (tile / 3 + 0.5) / 3 + (bit / 8 - 1.5) / 27;
      int left = (int)((u - 0.5 / 48) * width), right = (int)((u + 0.5 / 48) * width);
      int top = (int)((v - 0.5 / 27) * height), bottom = (int)((v + 0.5 / 27) * height);
      int value = word >> bit & 1;
      cells[value][counts[value]++] =
          (XRectangle){(short)left, (short)top, (unsigned short)(right - left), (unsigned short)(bottom - top)};
    }
    for (int value = 0; value < 2; value++) XFillRectangles(display, window, pens[value], cells[value], counts[value]);
  }
}

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: PlantedPlayer SCHEDULE LOG [INPUT]\n");
    return 64;
  }
  FILE *schedule = fopen(words[1], "r"), *log = fopen(words[2], "w");
  display = XOpenDisplay(NULL);
  if (!schedule || !log || !display) {
    fprintf(stderr, "PlantedPlayer: a file or the display cannot be opened\n");
    return 1;
  }
  int screen = DefaultScreen(display);
  width = DisplayWidth(display, screen);
  height = DisplayHeight(display, screen);
  window = XCreateSimpleWindow(display, RootWindow(display, screen), 0, 0, (unsigned)width, (unsigned)height, 0, 0, 0x808080);
  XSelectInput(display, window, ExposureMask | StructureNotifyMask);
  for (int value = 0; value < 2; value++) {
    pens[value] = XCreateGC(display, window, 0, NULL);
    XSetForeground(display, pens[value], value ? 0xE1E1E1 : 0x1E1E1E);
  }
  XMapWindow(display, window);
  XEvent event;
  do XNextEvent(display, &event);
  while (event.type != Expose);
  // A window manager may still move it.
  sleep_until(now() + 300000000);
  while (XPending(display)) XNextEvent(display, &event);
  int64_t start = now();
  double milliseconds;
  unsigned number;
  int first, last;
  while (fscanf(schedule, "%lf %u %d %d", &milliseconds, &number, &first, &last) == 4) {
    sleep_until(start + (int64_t)(milliseconds * 1e6));
    int64_t began = now();
    paint(number, first, last);
    XSync(display, False);
    fprintf(log, "%u %d %d %lld %lld\n", number, first, last, (long long)began, (long long)now());
  }
  fclose(log);
  // The last frame stays as any other: with the window it would vanish before a sample.
  sleep_until(now() + 200000000);
  XCloseDisplay(display);
  return 0;
}
