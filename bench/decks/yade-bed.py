# Yade: a bed of spheres in a box or in a turning drum. bench/peers sets the parameters, as JSON in $PEER.
import os, json, time, math
from yade import geom
from yade.utils import wall, sphere
P = json.loads(os.environ['PEER'])
dt = P['dt']
if P['law'] == 'hertz':
    mat = FrictMat(young=P['E'], poisson=P['nu'], density=P['rho'], frictionAngle=math.atan(P['mu']))
    ip = Ip2_FrictMat_FrictMat_MindlinPhys(en=P['e'], es=P['e'])
    law = Law2_ScGeom_MindlinPhys_Mindlin()
else:
    # in ViscElMat two equal materials give a contact of half the stiffness
    mat = ViscElMat(kn=2*P['kn'], ks=2*P['kt'], cn=2*P['cn'], cs=P['cn'], density=P['rho'], frictionAngle=math.atan(P['mu']))
    ip = Ip2_ViscElMat_ViscElMat_ViscElPhys()
    law = Law2_ScGeom_ViscElPhys_Basic()
O.materials.append(mat)
drum = []
if P['shape'] == 'box':
    for pos, ax, sense in ((0, 0, 1), (P['W'], 0, -1), (0, 1, 1), (P['D'], 1, -1), (0, 2, 1)):
        O.bodies.append(wall(pos, axis=ax, sense=sense))
else:
    for pos, ax, sense in ((0, 1, 1), (P['D'], 1, -1)):
        O.bodies.append(wall(pos, axis=ax, sense=sense))
    q = Quaternion((1, 0, 0), math.pi/2)
    # circumscribed polygon, so that no sphere starts outside of it
    ns = 72
    drum = O.bodies.append(geom.facetCylinder(center=(0, P['D']/2, 0), radius=P['Rd']/math.cos(math.pi/ns), height=1.2*P['D'], orientation=q, segmentsNumber=ns, wallMask=4))
n0 = len(O.bodies)
with open(P['data']) as f:
    for line in f:
        x, y, z, r = (float(v) for v in line.split()[:4])
        O.bodies.append(sphere((x, y, z), r))
N = len(O.bodies) - n0
bo = [Bo1_Sphere_Aabb(), Bo1_Wall_Aabb(), Bo1_Facet_Aabb()]
ig = [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()]
O.engines = [ForceResetter(),
    InsertionSortCollider(bo, verletDist=P['skin']/2, label='col'),
    InteractionLoop(ig, [ip], [law])]
if drum:
    O.engines = O.engines + [RotationEngine(ids=drum, rotationAxis=(0, 1, 0), rotateAroundZero=True, zeroPoint=(0, 0, 0), angularVelocity=P['omega'])]
O.engines = O.engines + [NewtonIntegrator(label='newton', damping=0.4, gravity=(9.81*P['gx'], 0, 9.81*P['gz']))]
O.dt = dt
# contact history starts empty: damp the jolt of that, then run free
O.run(max(1, P['nvisc']), True)
newton.damping = 0
O.run(P['warm'], True)
for k in range(P['reps']):
    c0 = col.numAction
    t, c = time.perf_counter(), time.process_time()
    O.run(P['steps'], True)
    print('TIMED', time.perf_counter() - t, 'cpu', time.process_time() - c, 'resorts', col.numAction - c0, flush=True)
with open(P['out'], 'w') as f:
    for i in range(n0, len(O.bodies)):
        b = O.bodies[i]
        p, v = b.state.pos, b.state.vel
        f.write('%.10g %.10g %.10g %.10g %.10g %.10g %.10g\n' % (p[0], p[1], p[2], b.shape.radius, v[0], v[1], v[2]))
