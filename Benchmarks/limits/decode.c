// decode CLIP THREADS MODE: what libavcodec alone takes for a clip's packets, with nothing of bench360 around it. THREADS may be the name of a
// hardware decoder, such as cuda, whose frames then stay in its memory.
//
//   first            opens the file, decodes its first picture and ends: timed as a process, from outside
//   all SECONDS      frames a second, from the first packet to the last frame; the clip loops
//   seeks            reads presentation times in seconds, a line each; prints the milliseconds of each seek, from its sync sample's packet
//                    to its picture. Frames before it that none refers to are left out, as bench360 leaves them out.
//
// Packets lie in memory, except for 'first'. The decoder opens once.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/time.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AVFormatContext *format;
static AVCodecContext *decoder;
static AVStream *stream;
static AVFrame *frame;
static AVPacket **packets;
static int count;

static void fail(const char *what) {
  fprintf(stderr, "decode: %s\n", what);
  exit(1);
}

static enum AVPixelFormat hardware_format;

static enum AVPixelFormat choose_format(AVCodecContext *context, const enum AVPixelFormat *formats) {
  for (; *formats != AV_PIX_FMT_NONE; formats++)
    if (*formats == hardware_format) return *formats;
  fail("the hardware does not decode this clip");
  return AV_PIX_FMT_NONE;
}

static void use_hardware(const AVCodec *codec, const char *name) {
  enum AVHWDeviceType type = av_hwdevice_find_type_by_name(name);
  const AVCodecHWConfig *config = NULL;
  for (int i = 0; (config = avcodec_get_hw_config(codec, i)); i++)
    if (config->device_type == type && config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) break;
  if (!config) fail("no such hardware decoder");
  hardware_format = config->pix_fmt;
  decoder->get_format = choose_format;
  if (av_hwdevice_ctx_create(&decoder->hw_device_ctx, type, NULL, NULL, 0) < 0) fail("the hardware does not open");
}

static void open_clip(const char *path, const char *threads) {
  av_log_set_level(AV_LOG_ERROR);
  if (avformat_open_input(&format, path, NULL, NULL) < 0) fail("the clip does not open");
  int index = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  if (index < 0) fail("the clip has no video");
  stream = format->streams[index];
  const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
  if (!codec || !(decoder = avcodec_alloc_context3(codec))) fail("no decoder");
  avcodec_parameters_to_context(decoder, stream->codecpar);
  if (*threads >= '0' && *threads <= '9') decoder->thread_count = atoi(threads);
  else use_hardware(codec, threads);
  decoder->pkt_timebase = stream->time_base;
  if (avcodec_open2(decoder, codec, NULL) < 0) fail("the decoder does not open");
  frame = av_frame_alloc();
}

static AVPacket *read_packet(void) {
  AVPacket *packet = av_packet_alloc();
  while (av_read_frame(format, packet) >= 0) {
    if (packet->stream_index == stream->index) return packet;
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  return NULL;
}

static void read_all(void) {
  int room = 0;
  for (AVPacket *packet; (packet = read_packet()); packets[count++] = packet)
    if (count == room && !(packets = realloc(packets, (room = room * 2 + 64) * sizeof *packets))) fail("no memory");
  if (!count) fail("the clip has no packets");
}

// The frames that are there; the last one stays in 'frame'.
static int receive(void) {
  int got = 0;
  while (avcodec_receive_frame(decoder, frame) >= 0) got++;
  return got;
}

static void send(const AVPacket *packet) {
  if (avcodec_send_packet(decoder, packet) < 0 && packet) fail("a packet is refused");
}

// One packet and no more: with frame threads a decoder would ask for several before it gives this picture.
static void first(void) {
  for (AVPacket *packet; (packet = read_packet());) {
    send(packet);
    send(NULL);
    if (avcodec_receive_frame(decoder, frame) >= 0) return;
    avcodec_flush_buffers(decoder);
  }
  fail("no picture comes out");
}

static void all(double seconds) {
  double length = 0;
  for (int i = 0; i < count; i++) length += packets[i]->duration * av_q2d(stream->time_base);
  int loops = length > 0 ? (int)ceil(seconds / length - 1e-9) : 1, frames = 0;
  int64_t start = av_gettime_relative();
  for (int loop = 0; loop < loops; loop++) {
    for (int i = 0; i < count; i++) {
      send(packets[i]);
      frames += receive();
    }
    send(NULL);
    frames += receive();
    avcodec_flush_buffers(decoder);
  }
  printf("%.4f\n", frames / ((av_gettime_relative() - start) / 1e6));
}

// Milliseconds to the picture whose time is nearest to 'target', decoding what it needs.
static double seek(int64_t target) {
  int last = 0, from = 0;
  for (int i = 0; i < count; i++)
    if (llabs(packets[i]->pts - target) < llabs(packets[last]->pts - target)) last = i;
  target = packets[last]->pts;
  for (int i = 0; i <= last; i++)
    if (packets[i]->flags & AV_PKT_FLAG_KEY) from = i;
  avcodec_flush_buffers(decoder);
  int64_t start = av_gettime_relative();
  for (int i = from; i <= last; i++) {
    if (i < last && (packets[i]->flags & AV_PKT_FLAG_DISPOSABLE)) continue;
    send(packets[i]);
    while (avcodec_receive_frame(decoder, frame) >= 0)
      if (frame->pts == target) return (av_gettime_relative() - start) / 1e3;
  }
  send(NULL);
  while (avcodec_receive_frame(decoder, frame) >= 0)
    if (frame->pts == target) return (av_gettime_relative() - start) / 1e3;
  fail("a picture is not found");
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 4) fail("usage: decode CLIP THREADS first | all SECONDS | seeks");
  open_clip(argv[1], argv[2]);
  if (!strcmp(argv[3], "first")) {
    first();
    return 0;
  }
  read_all();
  if (!strcmp(argv[3], "all") && argc == 5) all(atof(argv[4]));
  else if (!strcmp(argv[3], "seeks")) {
    double seconds;
    int64_t base = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
    while (scanf("%lf", &seconds) == 1) printf("%.4f\n", seek(base + llrint(seconds / av_q2d(stream->time_base))));
  } else fail("no such mode");
  return 0;
}
