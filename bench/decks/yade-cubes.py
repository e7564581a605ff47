# Yade: cubes as Polyhedra that settle in a box. bench/shape_peers sets the parameters, as JSON in $PEER.
import json, math, os, time
from yade import polyhedra_utils
from yade.utils import wall
P = json.loads(os.environ['PEER'])
# The volumetric law takes a force per volume of overlap.
mat = PolyhedraMat(density=P['rho'], young=P['per_volume'], poisson=0.3, frictionAngle=math.atan(P['mu']))
O.materials.append(mat)
for pos, axis, sense in ((0, 0, 1), (P['W'], 0, -1), (0, 1, 1), (P['W'], 1, -1), (0, 2, 1)):
    O.bodies.append(wall(pos, axis=axis, sense=sense, material=mat))
h = P['edge'] / 2
corners = [(x, y, z) for x in (-h, h) for y in (-h, h) for z in (-h, h)]
for x, y, z, w, i, j, k in P['rows']:
    body = polyhedra_utils.polyhedra(mat, v=corners)
    body.state.pos, body.state.ori = (x, y, z), Quaternion(w, i, j, k)
    O.bodies.append(body)
O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Polyhedra_Aabb(), Bo1_Wall_Aabb()], verletDist=P['skin'] / 2),
             InteractionLoop([Ig2_Polyhedra_Polyhedra_PolyhedraGeom(), Ig2_Wall_Polyhedra_PolyhedraGeom()],
                             [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()], [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()]),
             NewtonIntegrator(damping=0.3, gravity=(0, 0, -9.81))]
O.dt = P['dt']
O.run(P['warm'], True)
for k in range(2):
    before = time.process_time()
    O.run(P['steps'], True)
    print('SECONDS', time.process_time() - before, flush=True)
print('TOUCHING', sum(1 for i in O.interactions if i.isReal), flush=True)
