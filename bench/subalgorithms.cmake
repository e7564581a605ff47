# The sub-algorithms of GJK in one loop.
add_executable(bench_subalgorithms subalgorithms.cpp subalgorithms_peers.cpp)
target_compile_options(bench_subalgorithms PRIVATE ${SCREE_FLAGS})
target_link_libraries(bench_subalgorithms PRIVATE scree_geometry)
