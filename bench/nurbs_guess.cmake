# The guess of a nearest point on a spline curve and Newton's rule from there.
add_executable(bench_nurbs_guess nurbs_guess.cpp)
target_compile_options(bench_nurbs_guess PRIVATE ${SCREE_FLAGS})
target_link_libraries(bench_nurbs_guess PRIVATE scree_geometry)
