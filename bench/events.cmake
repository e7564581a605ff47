# Collisions per second of the event engine.
add_executable(bench_events events.cpp)
target_compile_options(bench_events PRIVATE ${SCREE_FLAGS})
target_link_libraries(bench_events PRIVATE scree_events scree_neighbor)
