// Layouts of channels for Swift: FFmpeg's are macros and unions.
#ifndef BENCH360_CFFMPEG_SOUND_H
#define BENCH360_CFFMPEG_SOUND_H

#include <libavutil/channel_layout.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>

enum bench_sound_layout {
  BENCH_SOUND_OTHER,
  BENCH_SOUND_MONO,
  BENCH_SOUND_STEREO,
  BENCH_SOUND_51,
  BENCH_SOUND_71,
  BENCH_SOUND_AMBISONIC,
  BENCH_SOUND_AMBISONIC_STEREO,
};

// Channels of unsaid use are taken for the usual ones of their number, as FFmpeg's own tools do.
static inline enum bench_sound_layout bench_sound_layout(const AVChannelLayout *layout) {
  const AVChannelLayout side = AV_CHANNEL_LAYOUT_5POINT1, back = AV_CHANNEL_LAYOUT_5POINT1_BACK;
  const AVChannelLayout seven = AV_CHANNEL_LAYOUT_7POINT1;
  int channels = layout->nb_channels;
  if (layout->order == AV_CHANNEL_ORDER_AMBISONIC) {
    int others = __builtin_popcountll(layout->u.mask), components = channels - others, order = 0;
    while ((order + 1) * (order + 1) < components) order++;
    if (order < 1 || (order + 1) * (order + 1) != components) return BENCH_SOUND_OTHER;
    if (others == 0) return BENCH_SOUND_AMBISONIC;
    return others == 2 ? BENCH_SOUND_AMBISONIC_STEREO : BENCH_SOUND_OTHER;
  }
  if (channels == 1) return BENCH_SOUND_MONO;
  if (channels == 2) return BENCH_SOUND_STEREO;
  AVChannelLayout usual = {0};
  if (layout->order == AV_CHANNEL_ORDER_UNSPEC) {
    av_channel_layout_default(&usual, channels);
    layout = &usual;
  }
  if (!av_channel_layout_compare(layout, &side) || !av_channel_layout_compare(layout, &back)) return BENCH_SOUND_51;
  return av_channel_layout_compare(layout, &seven) ? BENCH_SOUND_OTHER : BENCH_SOUND_71;
}

// Begins a resampler from a frame's samples to interleaved 32-bit float. `wanted`: which channels come out; OTHER: those of the
// frame as they are, without mixing. A mix is made where the layouts differ: 5.1 has its two surround channels at the sides or behind.
static inline int bench_sound_resampler(struct SwrContext **resampler, const AVFrame *frame, int rate,
                                        enum bench_sound_layout wanted) {
  const AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO, stereo = AV_CHANNEL_LAYOUT_STEREO;
  const AVChannelLayout five = AV_CHANNEL_LAYOUT_5POINT1, seven = AV_CHANNEL_LAYOUT_7POINT1;
  AVChannelLayout from = {0};
  int channels = frame->ch_layout.nb_channels;
  enum bench_sound_layout own = bench_sound_layout(&frame->ch_layout);
  if (frame->ch_layout.order == AV_CHANNEL_ORDER_NATIVE && channels > 2 && wanted != BENCH_SOUND_OTHER)
    from = frame->ch_layout;
  else
    av_channel_layout_default(&from, channels);
  AVChannelLayout to = from;
  if (wanted != BENCH_SOUND_OTHER && wanted != own)
    to = wanted == BENCH_SOUND_MONO ? mono : wanted == BENCH_SOUND_51 ? five : wanted == BENCH_SOUND_71 ? seven : stereo;
  int status = swr_alloc_set_opts2(resampler, &to, AV_SAMPLE_FMT_FLT, rate, &from,
                                   (enum AVSampleFormat)frame->format, frame->sample_rate, 0, NULL);
  return status < 0 ? status : swr_init(*resampler);
}

// Converts `count` sample frames of the frame from `start` on; nil: what the resampler still holds.
static inline int bench_sound_convert(struct SwrContext *resampler, float *target, int room, const AVFrame *frame,
                                      int start, int count) {
  uint8_t *out[1] = {(uint8_t *)target};
  const uint8_t *in[64] = {0};
  if (!frame) return swr_convert(resampler, out, room, NULL, 0);
  enum AVSampleFormat format = (enum AVSampleFormat)frame->format;
  int channels = frame->ch_layout.nb_channels, isPlanar = av_sample_fmt_is_planar(format);
  int step = av_get_bytes_per_sample(format) * (isPlanar ? 1 : channels);
  if (channels > 64) return AVERROR(EINVAL);
  for (int i = 0; i < (isPlanar ? channels : 1); i++) in[i] = frame->extended_data[i] + (size_t)start * step;
  return swr_convert(resampler, out, room, in, count);
}

#endif
