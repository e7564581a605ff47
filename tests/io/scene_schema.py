#!/usr/bin/python3
"""The JSON Schema of scenes: is one, accepts every example (also with all defaults written out), refuses bad scenes."""
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import jsonschema

scree, root = sys.argv[1], pathlib.Path(sys.argv[2])
schema = json.loads(subprocess.run([scree, "schema"], capture_output=True, check=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = []

# Faults that only a look at several keys, at the value of a name or at the disk can find: `scree check` does.
BEYOND_SCHEMA = {"law_of_a_pair_without_young", "stiffness_and_contact_time", "stiffness_said_twice",
    "cluster_without_spheres", "events_with_shapes", "output_measure_of_nobody", "scale_beside_file", "shape_too_large", "duration_infinite", "duration_nan", "glue_below_beta", "glue_power_too_weak", "events_with_forces", "gravity_turn_axis_in_2d", "gravity_turn_axis_zero", "gravity_turn_backwards",
    "gravity_three_components_in_2d", "gravity_two_components_in_3d", "gravity_with_nan", "grains_same_name",
    "interaction_twice", "interaction_unknown_material", "lattice_fcc_in_2d", "lattice_hexagonal_in_3d",
    "law_hertz_without_young", "law_kuwabara_without_young", "material_ambiguous", "material_unknown",
    "motion_axis_in_2d", "motion_axis_zero", "motion_ends_before_it_begins", "motion_table_not_increasing",
    "neither_place_nor_pour", "no_grains", "no_grains_empty_list", "outflow_region_unknown", "periodic_inverted",
    "periodic_too_short", "periodic_z_in_2d", "place_and_pour", "place_at_wrong_dimension", "place_file_missing",
    "place_count_far_too_large", "place_density_of_dust", "place_random_count_and_density", "place_random_without_count", "place_region_unknown", "place_without_regions",
    "place_spacing_far_too_small", "pour_ends_before_it_begins", "pour_rate_far_too_large", "pour_fixed", "pour_velocity_in_the_wrong_place", "radius_lognormal_median_zero",
    "radius_beside_file", "radius_missing", "radius_normal_too_wide", "radius_table_fractions_zero", "radius_uniform_inverted", "radius_sieve_percent", "radius_sieve_descending", "radius_sieve_one_row", "radius_lognormal_wide_by_mass",
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

# Shapes of every kind, with lengths and with lists of corners, as written and with all defaults filled in.
SHAPES = """
[simulation]
duration = 1e-3
[materials.glass]
[shapes.rod]
kind = "spherocylinder"
length = 0.02
radius = 0.005
[shapes.triangle]
kind = "spherotriangle"
length = 0.02
radius = 0.002
[shapes.corners3]
kind = "spherotriangle"
vertices = [[0, 0, 0], [0.02, 0, 0], [0, 0.03, 0]]
radius = 0.002
[shapes.corners4]
kind = "spherotetrahedron"
vertices = [[0, 0, 0], [0.02, 0, 0], [0, 0.03, 0], [0, 0, 0.02]]
radius = 0.002
[shapes.cube]
kind = "spheropolyhedron"
solid = "cube"
length = 0.02
radius = 0.002
[shapes.corners5]
kind = "spheropolyhedron"
vertices = [[0, 0, 0], [0.02, 0, 0], [0, 0.03, 0], [0.02, 0.03, 0], [0, 0, 0.02]]
radius = 0.002
[shapes.clump]
kind = "cluster"
spheres = [[0, 0, 0, 0.01], [0.01, 0, 0, 0.01]]
[shapes.cross]
kind = "union"
parts = [{ shape = "rod" }, { shape = "rod", orientation = [1, 1, 0, 0] }]
"""
NAMES = ["rod", "triangle", "corners3", "corners4", "cube", "corners5", "clump", "cross"]
SHAPES += "".join(f'[[grains]]\nshape = "{name}"\nplace = {{ at = [[{0.1 * k:.1f}, 0, 0]] }}\n' for k, name in enumerate(NAMES))
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "shapes.toml"
    path.write_text(SHAPES)
    subprocess.run([scree, "run", str(path), "--quiet", "-o", f"{folder}/run"], capture_output=True, check=True)
    kept = (pathlib.Path(folder) / "run/scene.toml").read_text()
    filled = subprocess.run([scree, "check", str(path)], capture_output=True, check=True, text=True).stdout
for text in (SHAPES, filled, kept):
    for error in validator.iter_errors(tomllib.loads(text)):
        failures.append(f"shapes: {error.json_path}: {error.message}")
# A key means what its kind says: what one kind may leave out or have more of, another may not.
for changed in (SHAPES.replace("[[0, 0, 0], [0.02, 0, 0], [0, 0.03, 0]]", "[[0, 0, 0], [0.02, 0, 0], [0, 0.03, 0], [0, 0, 1]]"), SHAPES.replace("length = 0.02", "length = 0", 1)):
    if validator.is_valid(tomllib.loads(changed)):
        failures.append("shapes: a key of the wrong kind is accepted")

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
