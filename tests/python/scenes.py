"""Scenes of the tests of the module."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def falling(count=60, **simulation):
    """Spheres of two groups that fall into a box: contacts of all kinds within 0.1 s, in milliseconds of work."""
    import scree

    return scree.Scene(
        simulation={"duration": 0.2, "seed": 3, **simulation},
        materials=dict(glass=dict(contact_time=1e-3, friction=0.3, restitution=0.6)),
        regions=[dict(name="inside", box=[[-0.02, -0.02, 0.002], [0.02, 0.02, 0.04]])],
        grains=[dict(name="large", radius={"uniform": [2e-3, 3e-3]}, place=dict(random="inside", count=count // 2)),
                dict(name="small", radius=1.5e-3, place=dict(random="inside", count=count - count // 2))],
        walls=[dict(name="box", kind="box", min=[-0.02, -0.02, 0], max=[0.02, 0.02, 0.3])])


def crowd(count, **simulation):
    """About so many spheres on a lattice in a box that fits them, falling."""
    import scree

    side = 4.2e-3 * round((count / 2) ** (1 / 3))
    return scree.Scene(
        simulation={"duration": 1, **simulation},
        materials=dict(glass=dict(contact_time=1e-3, friction=0.3, restitution=0.6)),
        regions=[dict(name="inside", box=[[0, 0, 0], [side, side, 2 * side]])],
        grains=[dict(name="all", radius={"uniform": [1.8e-3, 2e-3]}, place=dict(lattice="sc", spacing=4.2e-3, region="inside"))],
        walls=[dict(name="box", kind="box", min=[0, 0, 0], max=[side, side, 4 * side])])
