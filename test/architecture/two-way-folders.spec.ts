import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as ts from 'typescript';

const project = join(__dirname, '../..');

/** Each folder in one of these may import others, and none of those may import it. */
const PARENTS = ['src', 'src/apps', 'src/engine', 'src/modules', 'src/platform', 'src/portal'];

/** A source file by its path in the project. */
type Sources = ReadonlyMap<string, string>;

const filesOfProduct = (): Sources =>
  new Map(
    readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.spec)\.tsx?$/.test(path) && !path.includes('/testing/'))
      .map((path) => [`src/${path}`, readFileSync(join(project, 'src', path), 'utf8')]),
  );

/** The folder directly below the parent; undefined for a file of the parent itself, which belongs to none. */
function folderIn(parent: string, path: string): string | undefined {
  const [folder, ...below] = path.slice(parent.length + 1).split('/');
  return path.startsWith(`${parent}/`) && below.length > 0 ? folder : undefined;
}

function* importsIn(sources: Sources): Generator<readonly [from: string, to: string]> {
  for (const [path, text] of sources)
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      const imported = posix.join(posix.dirname(path), fileName);
      if (fileName.startsWith('.')) yield [path, sources.has(`${imported}/index.ts`) ? `${imported}/index` : imported];
    }
}

/** Pairs of folders that import each other, with an import of each. */
function twoWayFolders(parent: string, sources: Sources): string[] {
  const arrows = new Map<string, string>();
  for (const [path, imported] of importsIn(sources)) {
    const [from, to] = [folderIn(parent, path), folderIn(parent, imported)];
    if (from !== undefined && to !== undefined && from !== to) arrows.set(`${from} -> ${to}`, path);
  }
  return [...arrows].flatMap(([arrow, path]) => {
    const [from = '', to = ''] = arrow.split(' -> ');
    const back = arrows.get(`${to} -> ${from}`);
    return back !== undefined && from < to ? [`${parent}: ${arrow} in ${path}, and back in ${back}`] : [];
  });
}

/** The folders and files directly below the parent that import each other through any number of others. */
function circles(parent: string, sources: Sources): string[] {
  const arrows = new Map<string, Set<string>>();
  const partOf = (path: string): string | undefined =>
    path.startsWith(`${parent}/`)
      ? path
          .slice(parent.length + 1)
          .split('/', 1)[0]
          ?.replace(/\.tsx?$/, '')
      : undefined;
  for (const [from, to] of [...importsIn(sources)].map((pair) => pair.map(partOf)))
    if (from !== undefined && to !== undefined && from !== to)
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  const reachedFrom = (start: string): Set<string> => {
    const reached = new Set<string>();
    const waiting = [start];
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop())
      for (const next of arrows.get(part) ?? []) if (reached.size !== reached.add(next).size) waiting.push(next);
    return reached;
  };
  return [...arrows.keys()].filter((part) => reachedFrom(part).has(part)).sort();
}

describe('folders', () => {
  it('do not import each other', () => {
    const sources = filesOfProduct();
    expect(PARENTS.flatMap((parent) => twoWayFolders(parent, sources))).toEqual([]);
  });

  it('that import each other are reported, also if only types are imported', () => {
    const sources = new Map([
      ['src/portal/beacons/page.tsx', "import { Card } from '../discoveries/card';"],
      ['src/portal/discoveries/card.tsx', "import type { Url } from '../beacons/url';"],
      ['src/portal/assets/page.tsx', "import { Card } from '../discoveries/card';\nimport { url } from '../urls';"],
      ['src/portal/urls.ts', "import type { Query } from './assets/page';"],
      ['src/portal/scans/index.ts', "import { jobs } from '../reports';"],
      ['src/portal/reports/index.ts', "import { scans } from '../scans';"],
    ]);
    expect(twoWayFolders('src/portal', sources)).toEqual([
      'src/portal: beacons -> discoveries in src/portal/beacons/page.tsx, and back in src/portal/discoveries/card.tsx',
      'src/portal: reports -> scans in src/portal/reports/index.ts, and back in src/portal/scans/index.ts',
    ]);
  });

  it('and files of the engine do not import each other in a circle', () => {
    expect(circles('src/engine', filesOfProduct())).toEqual([]);
  });

  it('and files that import each other in a circle are reported', () => {
    const sources = new Map([
      ['src/engine/probe.ts', "import type { Row } from './active/row';"],
      ['src/engine/active/experiment.ts', "import { assess } from '../assess';"],
      ['src/engine/active/row.ts', "import { Page } from '../page';"],
      ['src/engine/assess.ts', "import { Probe } from './probe';"],
    ]);
    expect(circles('src/engine', sources)).toEqual(['active', 'assess', 'probe']);
  });
});
