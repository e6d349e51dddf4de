// Made by Scripts/compile-shaders from Shaders/. Do not edit.
// By shaderc 2023.2-1, spirv-tools 2022.4+1.3.236.0-1, glslang 11.13.0-1.

  .section .rodata

  // Of sources with SHA-256 276b0b25c21ce328…
  .balign 4
  .globl bench_words_fullscreenVertex, bench_words_end_fullscreenVertex
  .hidden bench_words_fullscreenVertex, bench_words_end_fullscreenVertex
bench_words_fullscreenVertex:
  .incbin "fullscreenVertex.spv"
bench_words_end_fullscreenVertex:

  // Of sources with SHA-256 2cc8d178dd285ec9…
  .balign 4
  .globl bench_words_sphereMeshVertex, bench_words_end_sphereMeshVertex
  .hidden bench_words_sphereMeshVertex, bench_words_end_sphereMeshVertex
bench_words_sphereMeshVertex:
  .incbin "sphereMeshVertex.spv"
bench_words_end_sphereMeshVertex:

  // Of sources with SHA-256 b136e4beecc9fce0…
  .balign 4
  .globl bench_words_meshFragment, bench_words_end_meshFragment
  .hidden bench_words_meshFragment, bench_words_end_meshFragment
bench_words_meshFragment:
  .incbin "meshFragment.spv"
bench_words_end_meshFragment:

  // Of sources with SHA-256 7a8de354e7dce49a…
  .balign 4
  .globl bench_words_viewFragment, bench_words_end_viewFragment
  .hidden bench_words_viewFragment, bench_words_end_viewFragment
bench_words_viewFragment:
  .incbin "viewFragment.spv"
bench_words_end_viewFragment:

  // Of sources with SHA-256 0ef415f32d886d27…
  .balign 4
  .globl bench_words_viewCompute, bench_words_end_viewCompute
  .hidden bench_words_viewCompute, bench_words_end_viewCompute
bench_words_viewCompute:
  .incbin "viewCompute.spv"
bench_words_end_viewCompute:

  // Of sources with SHA-256 7d340d98bb3e5fc4…
  .balign 4
  .globl bench_words_graticuleFragment, bench_words_end_graticuleFragment
  .hidden bench_words_graticuleFragment, bench_words_end_graticuleFragment
bench_words_graticuleFragment:
  .incbin "graticuleFragment.spv"
bench_words_end_graticuleFragment:

  // Of sources with SHA-256 8cbd7e4babe7eb25…
  .balign 4
  .globl bench_words_quadVertex, bench_words_end_quadVertex
  .hidden bench_words_quadVertex, bench_words_end_quadVertex
bench_words_quadVertex:
  .incbin "quadVertex.spv"
bench_words_end_quadVertex:

  // Of sources with SHA-256 49927ff93c521f1a…
  .balign 4
  .globl bench_words_quadFragment, bench_words_end_quadFragment
  .hidden bench_words_quadFragment, bench_words_end_quadFragment
bench_words_quadFragment:
  .incbin "quadFragment.spv"
bench_words_end_quadFragment:

  .section .note.GNU-stack, "", @progbits
