# The mixture of Pournin 2005 chapter 7, by the methods of that time.
add_executable(bench_mixing mixing.cpp)
target_compile_options(bench_mixing PRIVATE ${SCREE_FLAGS})
target_link_libraries(bench_mixing PRIVATE scree_triangulation scree_shape)
