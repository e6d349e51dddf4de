// Made by Scripts/compile-shaders from Shaders/. Do not edit.
// By shaderc 2023.2-1, spirv-tools 2022.4+1.3.236.0-1, glslang 11.13.0-1.

  .section .rodata

  // Of sources with SHA-256 c98a9bc51eae1328…
  // Words with SHA-256 7e8443a8ab33b7e6…
  .balign 4
  .globl bench_words_fullscreenVertex, bench_words_end_fullscreenVertex
  .hidden bench_words_fullscreenVertex, bench_words_end_fullscreenVertex
bench_words_fullscreenVertex:
  .incbin "fullscreenVertex.spv"
bench_words_end_fullscreenVertex:

  // Of sources with SHA-256 9706d7dda24db43f…
  // Words with SHA-256 cb356c13029d9d32…
  .balign 4
  .globl bench_words_sphereMeshVertex, bench_words_end_sphereMeshVertex
  .hidden bench_words_sphereMeshVertex, bench_words_end_sphereMeshVertex
bench_words_sphereMeshVertex:
  .incbin "sphereMeshVertex.spv"
bench_words_end_sphereMeshVertex:

  // Of sources with SHA-256 257c49517878ba91…
  // Words with SHA-256 ace854fac52ad3a3…
  .balign 4
  .globl bench_words_meshFragment, bench_words_end_meshFragment
  .hidden bench_words_meshFragment, bench_words_end_meshFragment
bench_words_meshFragment:
  .incbin "meshFragment.spv"
bench_words_end_meshFragment:

  // Of sources with SHA-256 2699ef3672231eb1…
  // Words with SHA-256 070097bf452908e8…
  .balign 4
  .globl bench_words_graticuleFragment, bench_words_end_graticuleFragment
  .hidden bench_words_graticuleFragment, bench_words_end_graticuleFragment
bench_words_graticuleFragment:
  .incbin "graticuleFragment.spv"
bench_words_end_graticuleFragment:

  // Of sources with SHA-256 42fd2905309deca5…
  // Words with SHA-256 b3e6536fd0da12b6…
  .balign 4
  .globl bench_words_planetGraticuleFragment, bench_words_end_planetGraticuleFragment
  .hidden bench_words_planetGraticuleFragment, bench_words_end_planetGraticuleFragment
bench_words_planetGraticuleFragment:
  .incbin "planetGraticuleFragment.spv"
bench_words_end_planetGraticuleFragment:

  // Of sources with SHA-256 dc93dca3e06726ad…
  // Words with SHA-256 fbd503ce0536a2a7…
  .balign 4
  .globl bench_words_quadVertex, bench_words_end_quadVertex
  .hidden bench_words_quadVertex, bench_words_end_quadVertex
bench_words_quadVertex:
  .incbin "quadVertex.spv"
bench_words_end_quadVertex:

  // Of sources with SHA-256 39548269bbed91db…
  // Words with SHA-256 cb93a6eb90f940d4…
  .balign 4
  .globl bench_words_quadFragment, bench_words_end_quadFragment
  .hidden bench_words_quadFragment, bench_words_end_quadFragment
bench_words_quadFragment:
  .incbin "quadFragment.spv"
bench_words_end_quadFragment:

  // Of sources with SHA-256 53e0153120dbfc56…
  // Words with SHA-256 969e00e77b77ba2c…
  .balign 4
  .globl bench_words_flatFragment, bench_words_end_flatFragment
  .hidden bench_words_flatFragment, bench_words_end_flatFragment
bench_words_flatFragment:
  .incbin "flatFragment.spv"
bench_words_end_flatFragment:

  // Of sources with SHA-256 804b544dbadc9fac…
  // Words with SHA-256 66e2b37b80577c1c…
  .balign 4
  .globl bench_words_flatCompute, bench_words_end_flatCompute
  .hidden bench_words_flatCompute, bench_words_end_flatCompute
bench_words_flatCompute:
  .incbin "flatCompute.spv"
bench_words_end_flatCompute:

  // Of sources with SHA-256 695869f2349be24a…
  // Words with SHA-256 23052ea87e286284…
  .balign 4
  .globl bench_words_equirectangularFragment, bench_words_end_equirectangularFragment
  .hidden bench_words_equirectangularFragment, bench_words_end_equirectangularFragment
bench_words_equirectangularFragment:
  .incbin "equirectangularFragment.spv"
bench_words_end_equirectangularFragment:

  // Of sources with SHA-256 f26e255f03189fcc…
  // Words with SHA-256 d48563647f9f63cc…
  .balign 4
  .globl bench_words_equirectangularCompute, bench_words_end_equirectangularCompute
  .hidden bench_words_equirectangularCompute, bench_words_end_equirectangularCompute
bench_words_equirectangularCompute:
  .incbin "equirectangularCompute.spv"
bench_words_end_equirectangularCompute:

  // Of sources with SHA-256 fb0f440d1ceb78b2…
  // Words with SHA-256 b50108202e47c1c2…
  .balign 4
  .globl bench_words_partFragment, bench_words_end_partFragment
  .hidden bench_words_partFragment, bench_words_end_partFragment
bench_words_partFragment:
  .incbin "partFragment.spv"
bench_words_end_partFragment:

  // Of sources with SHA-256 df502e8852b1aad5…
  // Words with SHA-256 e3e48d380e51d018…
  .balign 4
  .globl bench_words_partCompute, bench_words_end_partCompute
  .hidden bench_words_partCompute, bench_words_end_partCompute
bench_words_partCompute:
  .incbin "partCompute.spv"
bench_words_end_partCompute:

  // Of sources with SHA-256 6e291ba3edea359c…
  // Words with SHA-256 57912e4e099da957…
  .balign 4
  .globl bench_words_cubemapFragment, bench_words_end_cubemapFragment
  .hidden bench_words_cubemapFragment, bench_words_end_cubemapFragment
bench_words_cubemapFragment:
  .incbin "cubemapFragment.spv"
bench_words_end_cubemapFragment:

  // Of sources with SHA-256 b16f3e573a392678…
  // Words with SHA-256 ee86ada2e8e547a0…
  .balign 4
  .globl bench_words_cubemapCompute, bench_words_end_cubemapCompute
  .hidden bench_words_cubemapCompute, bench_words_end_cubemapCompute
bench_words_cubemapCompute:
  .incbin "cubemapCompute.spv"
bench_words_end_cubemapCompute:

  // Of sources with SHA-256 d87f989461c4927c…
  // Words with SHA-256 627056f2f9a34cce…
  .balign 4
  .globl bench_words_eacFragment, bench_words_end_eacFragment
  .hidden bench_words_eacFragment, bench_words_end_eacFragment
bench_words_eacFragment:
  .incbin "eacFragment.spv"
bench_words_end_eacFragment:

  // Of sources with SHA-256 078d09d2204bafe5…
  // Words with SHA-256 9c215c9cfecc7863…
  .balign 4
  .globl bench_words_eacCompute, bench_words_end_eacCompute
  .hidden bench_words_eacCompute, bench_words_end_eacCompute
bench_words_eacCompute:
  .incbin "eacCompute.spv"
bench_words_end_eacCompute:

  // Of sources with SHA-256 310a7eee6e7449ef…
  // Words with SHA-256 f2fb65239074166f…
  .balign 4
  .globl bench_words_fisheyeFragment, bench_words_end_fisheyeFragment
  .hidden bench_words_fisheyeFragment, bench_words_end_fisheyeFragment
bench_words_fisheyeFragment:
  .incbin "fisheyeFragment.spv"
bench_words_end_fisheyeFragment:

  // Of sources with SHA-256 da4c3d988ce4013f…
  // Words with SHA-256 7db86f077bf5e363…
  .balign 4
  .globl bench_words_fisheyeCompute, bench_words_end_fisheyeCompute
  .hidden bench_words_fisheyeCompute, bench_words_end_fisheyeCompute
bench_words_fisheyeCompute:
  .incbin "fisheyeCompute.spv"
bench_words_end_fisheyeCompute:

  // Of sources with SHA-256 358c67fc86801ae4…
  // Words with SHA-256 ab70f2faa648c996…
  .balign 4
  .globl bench_words_planetFragment, bench_words_end_planetFragment
  .hidden bench_words_planetFragment, bench_words_end_planetFragment
bench_words_planetFragment:
  .incbin "planetFragment.spv"
bench_words_end_planetFragment:

  // Of sources with SHA-256 72d1560f35c38a7c…
  // Words with SHA-256 d3ce9b9851531ccc…
  .balign 4
  .globl bench_words_planetCompute, bench_words_end_planetCompute
  .hidden bench_words_planetCompute, bench_words_end_planetCompute
bench_words_planetCompute:
  .incbin "planetCompute.spv"
bench_words_end_planetCompute:

  .section .note.GNU-stack, "", @progbits
