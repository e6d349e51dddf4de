// FFmpeg, libass, libcurl and GLFW, each loaded when one of its functions is called for the first time. They bring 140 further libraries: a
// program that is linked to them pays 60 ms of processor time before `main`, also for `--help`.
//
// Swift that imports CFFmpeg, CAss, CCurl or CGLFW calls their functions by name, and calls.S passes each call on. So a target that imports
// one of them depends on this one, or on a target that does. No target links the libraries.
//
// A library that is missing ends the process with status 1 and one sentence on standard error.
#ifndef BENCH360_CLIBRARIES_H
#define BENCH360_CLIBRARIES_H

#endif
