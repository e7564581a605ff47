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
