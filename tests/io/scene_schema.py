#!/usr/bin/env python3
"""The JSON Schema of scenes: is one, accepts every example (also with all defaults written out), refuses bad scenes."""
import json
import pathlib
import subprocess
import sys
import tomllib

import jsonschema

scree, root = sys.argv[1], pathlib.Path(sys.argv[2])
schema = json.loads(subprocess.run([scree, "schema"], capture_output=True, check=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = []

# Faults that only a look at several keys, at the value of a name or at the disk can find: `scree check` does.
BEYOND_SCHEMA = {
    "cluster_without_spheres", "duration_infinite", "duration_nan", "glue_below_beta", "glue_power_too_weak", "events_with_forces", "gravity_turn_axis_in_2d", "gravity_turn_axis_zero", "gravity_turn_backwards",
    "gravity_three_components_in_2d", "gravity_two_components_in_3d", "gravity_with_nan", "grains_same_name",
    "interaction_twice", "interaction_unknown_material", "lattice_fcc_in_2d", "lattice_hexagonal_in_3d",
    "law_hertz_without_young", "law_kuwabara_without_young", "material_ambiguous", "material_unknown",
    "motion_axis_in_2d", "motion_axis_zero", "motion_ends_before_it_begins", "motion_table_not_increasing",
    "neither_place_nor_pour", "no_grains", "no_grains_empty_list", "outflow_region_unknown", "periodic_inverted",
    "periodic_too_short", "periodic_z_in_2d", "place_and_pour", "place_at_wrong_dimension", "place_file_missing",
    "place_count_far_too_large", "place_density_of_dust", "place_random_count_and_density", "place_random_without_count", "place_region_unknown", "place_without_regions",
    "place_spacing_far_too_small", "pour_ends_before_it_begins", "pour_rate_far_too_large", "pour_fixed", "pour_velocity_in_the_wrong_place", "radius_lognormal_median_zero",
    "radius_beside_file", "radius_missing", "radius_normal_too_wide", "radius_table_fractions_zero", "radius_uniform_inverted",
    "region_box_inverted", "region_cylinder_without_length", "region_name_empty", "region_same_name", "shape_length_beside_vertices", "shape_length_without_solid", "shape_scale_without_file", "shape_sphere_turned",
    "shape_unknown", "shape_with_radius", "shape_without_corners", "orientation_of_spheres", "orientation_out_of_the_plane", "orientation_too_large", "shape_names",
    "spin_vector_in_2d", "start_from_missing_run", "start_from_nothing", "wall_balls_like_a_plane", "wall_box_inverted",
    "wall_cylinder_without_length", "wall_disc_hole_too_large", "wall_plane_normal_zero", "wall_polyline_in_3d",
    "wall_polyline_repeats_a_point", "wall_mesh_file_missing", "wall_mesh_in_2d", "wall_same_name", "motion_table_short_row",
}

examples = sorted((root / "examples").glob("*.toml"))
for path in examples:
    filled = subprocess.run([scree, "check", str(path)], capture_output=True, check=True, text=True).stdout
    for text in (path.read_text(), filled):
        for error in validator.iter_errors(tomllib.loads(text)):
            failures.append(f"{path.name}: {error.json_path}: {error.message}")

refused = 0
for path in sorted((root / "tests/io/bad_scenes").glob("*.toml")):
    try:
        scene = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError:
        continue
    valid = validator.is_valid(scene)
    refused += not valid
    if valid != (path.stem in BEYOND_SCHEMA):
        failures.append(f"{path.name}: {'accepted' if valid else 'refused'} by the schema")

print("\n".join(failures) or f"{len(examples)} examples accepted, {refused} bad scenes refused")
sys.exit(1 if failures or not examples or refused < 60 else 0)
