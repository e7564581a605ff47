// Volumes of parts of spheres and areas of parts of discs, in closed form.
#pragma once

namespace scree {

// Of a sphere of radius r with its center at height y, the volume below the plane at height h (Ferrez 2001 eq. 4.4,
// whose third branch is misprinted there; this one joins continuously). Of a disc, the area.
double sphere_below(double r, double y, double h);
double disc_below(double r, double y, double h);

// Area common to two discs of radii r and R whose centers are d apart.
double disc_disc(double r, double R, double d);

// Volume common to a sphere of radius r and an endless cylinder of radius R whose axis passes the center at distance d
// (Ferrez 2001 eq. 4.6).
double sphere_cylinder(double r, double R, double d);
// The same between two planes at right angles to the axis, at heights low and high above the center. By quadrature
// where a plane cuts the sphere, to about 1e-12 of the sphere.
double sphere_cylinder_slab(double r, double R, double d, double low, double high);

}  // namespace scree
