// Run folders made by hand: grains of other shapes, triangulation, cells, and any number of grains to measure speed with.
// Files are written as docs/format-vtk.md describes them, independently of the program.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TYPES = new Map([[Float32Array, 'Float32'], [Float64Array, 'Float64'], [Int32Array, 'Int32'], [Uint32Array, 'UInt32'], [Uint16Array, 'UInt16'], [Uint8Array, 'UInt8']]);

// sections: { Points: { position: [array, components] }, PointData: {...}, CellData: {...}, Lines: {...}, Polys: {...} }
export function writeVtp(path, { points = 0, lines = 0, polygons = 0, time = 0, names = {}, ...sections }) {
  const blocks = [];
  let offset = 0;
  let xml = `<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n<PolyData>\n<FieldData>\n<DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">${time}</DataArray>\n`;
  for (const [list, values] of Object.entries(names)) {
    const codes = values.flatMap((value) => [...Buffer.from(value), 0]).join(' ');
    xml += `<Array type="String" Name="${list}" NumberOfTuples="${values.length}" format="ascii">${codes} </Array>\n`;
  }
  xml += `</FieldData>\n<Piece NumberOfPoints="${points}" NumberOfVerts="0" NumberOfLines="${lines}" NumberOfStrips="0" NumberOfPolys="${polygons}">\n`;
  for (const section of ['PointData', 'CellData', 'Points', 'Verts', 'Lines', 'Polys']) {
    xml += `<${section}>\n`;
    for (const [name, [values, components]] of Object.entries(sections[section] ?? {})) {
      xml += `<DataArray type="${TYPES.get(values.constructor)}" Name="${name}" NumberOfComponents="${components}" format="appended" offset="${offset}"/>\n`;
      const size = Buffer.alloc(8);
      size.writeBigUInt64LE(BigInt(values.byteLength));
      blocks.push(size, Buffer.from(values.buffer, values.byteOffset, values.byteLength));
      offset += 8 + values.byteLength;
    }
    xml += `</${section}>\n`;
  }
  xml += '</Piece>\n</PolyData>\n<AppendedData encoding="raw">\n_';
  writeFileSync(path, Buffer.concat([Buffer.from(xml), ...blocks, Buffer.from('\n</AppendedData>\n</VTKFile>\n')]));
}

const number = (n) => String(n).padStart(6, '0');

export function writeRun(folder, { title, dimension = 3, frames, grains }) {
  mkdirSync(join(folder, 'frames'), { recursive: true });
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ status: 'done', version: '0.1.0', title, dimension, grains, frames, time: frames - 1, resumes: 0 }));
  const entries = Array.from({ length: frames }, (_, k) => `<DataSet timestep="${k}" part="0" name="grains" file="grains_${number(k)}.vtp"/>\n`).join('');
  writeFileSync(join(folder, 'frames', 'run.pvd'), `<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n<Collection>\n${entries}</Collection>\n</VTKFile>\n`);
}

// A box of n grains on a lattice, a little shaken; each frame another way.
export function bedRun(folder, n, frames = 1) {
  writeRun(folder, { title: `${n} grains`, frames, grains: n });
  const side = Math.ceil(Math.cbrt(n));
  for (let f = 0; f < frames; ++f) {
    const at = new Float64Array(3 * n);
    const velocity = new Float32Array(3 * n);
    for (let k = 0; k < n; ++k) {
      const place = [k % side, Math.floor(k / side) % side, Math.floor(k / side / side)];
      for (let c = 0; c < 3; ++c) {
        velocity[3 * k + c] = Math.sin(12.9898 * k + 78.233 * c + f);
        at[3 * k + c] = place[c] + 0.1 * velocity[3 * k + c];
      }
    }
    writeVtp(join(folder, 'frames', `grains_${number(f)}.vtp`), { points: n, time: f, names: { group_names: ['bed'] }, Points: { position: [at, 3] },
      PointData: { radius: [new Float64Array(n).fill(0.5), 1], id: [Uint32Array.from({ length: n }, (_, k) => k), 1], group: [new Uint16Array(n), 1], velocity: [velocity, 3] } });
  }
}

// A binary STL of a box.
export function boxStl(x, y, z) {
  const corner = (k) => [(k & 1 ? x : -x), (k & 2 ? y : -y), (k & 4 ? z : -z)];
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const triangles = faces.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
  const out = Buffer.alloc(84 + 50 * triangles.length);
  out.writeUInt32LE(triangles.length, 80);
  triangles.forEach((triangle, t) => triangle.forEach((k, v) => corner(k).forEach((value, c) => out.writeFloatLE(value, 84 + 50 * t + 12 + 12 * v + 4 * c))));
  return out;
}

// Two bricks (one turned by 90 degrees about z, one twice as large) and a ball; edges and a cell around the ball.
export function shapesRun(folder) {
  writeRun(folder, { title: 'bricks', frames: 1, grains: 3 });
  for (const name of ['shapes', 'export/vtk']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'shapes', 'brick.stl'), boxStl(1, 0.25, 0.25));
  const half = Math.SQRT1_2;
  writeVtp(join(folder, 'frames', 'grains_000000.vtp'), { points: 3, names: { group_names: ['all'], shape_names: ['ball', 'brick'] },
    Points: { position: [Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0), 3] },
    PointData: { radius: [Float64Array.of(1, 2, 1), 1], id: [Uint32Array.of(0, 1, 2), 1], group: [new Uint16Array(3), 1], shape: [Int32Array.of(1, 1, 0), 1],
      orientation: [Float32Array.of(half, 0, 0, half, 1, 0, 0, 0, 1, 0, 0, 0), 4], scale: [Float32Array.of(1, 2, 1), 1], velocity: [new Float32Array(9), 3] } });
  writeVtp(join(folder, 'frames', 'triangulation_000000.vtp'), { points: 3, lines: 3, Points: { position: [Float32Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0), 3] },
    Lines: { connectivity: [Int32Array.of(0, 1, 0, 2, 1, 2), 1], offsets: [Int32Array.of(2, 4, 6), 1] } });
  writeVtp(join(folder, 'export', 'vtk', 'cells_000000.vtp'), { points: 4, polygons: 1, Points: { position: [Float32Array.of(-2, 2, 0, 2, 2, 0, 2, 6, 0, -2, 6, 0), 3] },
    Polys: { connectivity: [Int32Array.of(0, 1, 2, 3), 1], offsets: [Int32Array.of(4), 1] }, CellData: { id: [Int32Array.of(2), 1] } });
}
