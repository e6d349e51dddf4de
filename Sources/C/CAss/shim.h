// libass: text with outlines, laid out and turned into coverage.
#ifndef BENCH360_CASS_SHIM_H
#define BENCH360_CASS_SHIM_H

#include <ass/ass.h>
#include <stdlib.h>
#include <string.h>

// libass writes to standard error by itself; its messages are not for the user who watches a video.
static inline void bench_ass_quiet(int level, const char *format, va_list arguments, void *data) {}
static inline void bench_ass_silence(ASS_Library *library) { ass_set_message_cb(library, bench_ass_quiet, 0); }

// Texts that run both ways are ordered as Unicode has it, line by line. Before 0.16 libass cannot.
static inline void bench_ass_lay_out_whole_texts(ASS_Track *track) {
#if LIBASS_VERSION >= 0x01600000
  ass_track_set_feature(track, ASS_FEATURE_WHOLE_TEXT_LAYOUT, 1);
#endif
}

// A style owns its font's name.
static inline void bench_ass_set_font(ASS_Style *style, const char *name) {
  char *copy = strdup(name);
  if (!copy) return;
  free(style->FontName);
  style->FontName = copy;
}

#endif
