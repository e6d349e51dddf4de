// ICU's data without any data, under the name NAME: what ICU calls 'stubdata'. The layout is that of UDataInfo and of the table
// of contents behind it in ICU's unicode/udata.h and ucmndata.h: a header of 32 bytes, then the number of items, none.
//
// Weak, since SwiftPM names a linker's input more than once.
#include <stdint.h>

__attribute__((weak, visibility("default"), aligned(16))) const struct {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved;
  uint8_t is_big_endian, charset, size_of_uchar, reserved_too;
  uint8_t data_format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t item_count, no_item;
} NAME = {
  .header_size = 32,
  .magic = {0xda, 0x27},
  .info_size = 20,
  .size_of_uchar = 2,
  .data_format = {'C', 'm', 'n', 'D'},
  .format_version = {1, 0, 0, 0},
};
