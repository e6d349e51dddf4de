// libxml2's parser, which is fed piece by piece and hands on what it finds. Names come with their prefixes.
#ifndef BENCH360_CXML_H
#define BENCH360_CXML_H

typedef struct bench_xml bench_xml;

typedef struct {
  void *context;
  // Names and values of attributes by turns, up to NULL; NULL without attributes.
  void (*begin)(void *context, const char *name, const char *const *attributes);
  void (*end)(void *context, const char *name);
  // A part of an element's text, not ended by a zero.
  void (*text)(void *context, const char *bytes, int count);
} bench_xml_reader;

// NULL where there is no memory. The reader is called by bench_xml_parse alone.
bench_xml *bench_xml_open(bench_xml_reader reader);
void bench_xml_close(bench_xml *xml);

// The next piece; `is_last`: none follows. 0 once the text is not well-formed.
int bench_xml_parse(bench_xml *xml, const char *bytes, int count, int is_last);

// For a reader: nothing more is handed on.
void bench_xml_stop(bench_xml *xml);

// Where the parser is, from 1.
int bench_xml_line(bench_xml *xml);

#endif
