// Made by Scripts/compile-shaders from Shaders/. Do not edit.
// By shaderc 2023.2-1, spirv-tools 2022.4+1.3.236.0-1, glslang 11.13.0-1.

  .section .rodata

  // Of sources with SHA-256 276b0b25c21ce328…
  // Words with SHA-256 7e8443a8ab33b7e6…
  .balign 4
  .globl bench_words_fullscreenVertex, bench_words_end_fullscreenVertex
  .hidden bench_words_fullscreenVertex, bench_words_end_fullscreenVertex
bench_words_fullscreenVertex:
  .incbin "fullscreenVertex.spv"
bench_words_end_fullscreenVertex:

  // Of sources with SHA-256 bd7958235c0e9048…
  // Words with SHA-256 cb356c13029d9d32…
  .balign 4
  .globl bench_words_sphereMeshVertex, bench_words_end_sphereMeshVertex
  .hidden bench_words_sphereMeshVertex, bench_words_end_sphereMeshVertex
bench_words_sphereMeshVertex:
  .incbin "sphereMeshVertex.spv"
bench_words_end_sphereMeshVertex:

  // Of sources with SHA-256 1f8d7d72a4164fa1…
  // Words with SHA-256 21bb0e44732ebc35…
  .balign 4
  .globl bench_words_meshFragment, bench_words_end_meshFragment
  .hidden bench_words_meshFragment, bench_words_end_meshFragment
bench_words_meshFragment:
  .incbin "meshFragment.spv"
bench_words_end_meshFragment:

  // Of sources with SHA-256 0a8ee5a891105b77…
  // Words with SHA-256 75e4bf596622bb81…
  .balign 4
  .globl bench_words_viewFragment, bench_words_end_viewFragment
  .hidden bench_words_viewFragment, bench_words_end_viewFragment
bench_words_viewFragment:
  .incbin "viewFragment.spv"
bench_words_end_viewFragment:

  // Of sources with SHA-256 e5b1b536e936abb3…
  // Words with SHA-256 5f62ce6a6fc6314a…
  .balign 4
  .globl bench_words_viewCompute, bench_words_end_viewCompute
  .hidden bench_words_viewCompute, bench_words_end_viewCompute
bench_words_viewCompute:
  .incbin "viewCompute.spv"
bench_words_end_viewCompute:

  // Of sources with SHA-256 4f28128f471123c7…
  // Words with SHA-256 ab476b45dd79d288…
  .balign 4
  .globl bench_words_graticuleFragment, bench_words_end_graticuleFragment
  .hidden bench_words_graticuleFragment, bench_words_end_graticuleFragment
bench_words_graticuleFragment:
  .incbin "graticuleFragment.spv"
bench_words_end_graticuleFragment:

  // Of sources with SHA-256 8cbd7e4babe7eb25…
  // Words with SHA-256 fbd503ce0536a2a7…
  .balign 4
  .globl bench_words_quadVertex, bench_words_end_quadVertex
  .hidden bench_words_quadVertex, bench_words_end_quadVertex
bench_words_quadVertex:
  .incbin "quadVertex.spv"
bench_words_end_quadVertex:

  // Of sources with SHA-256 49927ff93c521f1a…
  // Words with SHA-256 cb93a6eb90f940d4…
  .balign 4
  .globl bench_words_quadFragment, bench_words_end_quadFragment
  .hidden bench_words_quadFragment, bench_words_end_quadFragment
bench_words_quadFragment:
  .incbin "quadFragment.spv"
bench_words_end_quadFragment:

  .section .note.GNU-stack, "", @progbits
