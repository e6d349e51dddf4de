// Where libxml2 lies. Its headers are C's alone (CXML): they bring ICU's, which Foundation has of its own.
