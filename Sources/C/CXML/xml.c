#include "CXML.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdlib.h>

struct bench_xml {
  bench_xml_reader reader;
  xmlParserCtxtPtr parser;
};

static void begin(void *context, const xmlChar *name, const xmlChar **attributes) {
  bench_xml_reader *reader = &((bench_xml *)context)->reader;
  reader->begin(reader->context, (const char *)name, (const char *const *)attributes);
}

static void end(void *context, const xmlChar *name) {
  bench_xml_reader *reader = &((bench_xml *)context)->reader;
  reader->end(reader->context, (const char *)name);
}

static void text(void *context, const xmlChar *bytes, int count) {
  bench_xml_reader *reader = &((bench_xml *)context)->reader;
  reader->text(reader->context, (const char *)bytes, count);
}

bench_xml *bench_xml_open(bench_xml_reader reader) {
  // Not the mark of the interface with namespaces, which takes prefixes off. No callback for errors: nothing is printed.
  xmlSAXHandler handler = {.initialized = 1, .startElement = begin, .endElement = end};
  handler.characters = handler.ignorableWhitespace = handler.cdataBlock = text;
  bench_xml *xml = calloc(1, sizeof *xml);
  if (!xml) return NULL;
  xml->reader = reader;
  xml->parser = xmlCreatePushParserCtxt(&handler, xml, NULL, 0, NULL);
  if (!xml->parser) {
    free(xml);
    return NULL;
  }
  // Else '&amp;' in an attribute stays '&#38;'. Texts with a document type, which could define other entities, are not for this parser.
  xmlCtxtUseOptions(xml->parser, XML_PARSE_NOENT | XML_PARSE_NONET);
  return xml;
}

void bench_xml_close(bench_xml *xml) {
  xmlFreeParserCtxt(xml->parser);
  free(xml);
}

int bench_xml_parse(bench_xml *xml, const char *bytes, int count, int is_last) {
  xmlParseChunk(xml->parser, bytes, count, is_last);
  return xml->parser->wellFormed;
}

void bench_xml_stop(bench_xml *xml) { xmlStopParser(xml->parser); }

int bench_xml_line(bench_xml *xml) {
  int line = xmlSAX2GetLineNumber(xml->parser);
  return line > 0 ? line : 1;
}
