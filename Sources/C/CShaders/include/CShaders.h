// Made by Scripts/compile-shaders from Shaders/. Do not edit.
// By shaderc 2023.2-1, spirv-tools 2022.4+1.3.236.0-1, glslang 11.13.0-1.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// SPIR-V of one shader, whose entry point is `main`. The words lie in the program, and stay.
typedef struct {
  const uint32_t *words;
  size_t count;
} BenchShader;

#define BENCH_SHADER(name) \
  extern const uint32_t bench_words_##name[], bench_words_end_##name[]; \
  static inline BenchShader bench_shader_##name(void) { \
    return (BenchShader){bench_words_##name, (size_t)(bench_words_end_##name - bench_words_##name)}; \
  }

BENCH_SHADER(fullscreenVertex)
BENCH_SHADER(sphereMeshVertex)
BENCH_SHADER(meshFragment)
BENCH_SHADER(graticuleFragment)
BENCH_SHADER(planetGraticuleFragment)
BENCH_SHADER(quadVertex)
BENCH_SHADER(quadFragment)
BENCH_SHADER(flatFragment)
BENCH_SHADER(flatCompute)
BENCH_SHADER(equirectangularFragment)
BENCH_SHADER(equirectangularCompute)
BENCH_SHADER(partFragment)
BENCH_SHADER(partCompute)
BENCH_SHADER(cubemapFragment)
BENCH_SHADER(cubemapCompute)
BENCH_SHADER(eacFragment)
BENCH_SHADER(eacCompute)
BENCH_SHADER(fisheyeFragment)
BENCH_SHADER(fisheyeCompute)
BENCH_SHADER(planetFragment)
BENCH_SHADER(planetCompute)
