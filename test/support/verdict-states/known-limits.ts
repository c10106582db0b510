import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The beginnings of the rows below "Known limits" in docs/verdicts.md that states stand for. */
export const KNOWN_LIMITS = {
  affinity: "A balancer that chooses by the client's address",
  fewServers: 'A few weak servers among very many',
  otherClients: 'Other clients',
  ownAddress: "Another region (anycast, GeoDNS), or a target that recognizes Assay's address",
  cache: 'A cache that ignores the query and `Cache-Control`',
  gateway: "A wall that returns the site's missing page",
  wall: "A wall that returns the site's missing page",
  statusInDsl: 'A template whose `dsl` contains the status',
  methods: 'A file for POST alone',
  otherPaths: 'Other paths of a check',
  ingress: 'A service behind exact paths of an ingress',
  region: 'Another region',
  nameServerMachines: 'Machines with different records behind one name server',
} as const;

export type KnownLimit = keyof typeof KNOWN_LIMITS;

/** The first cells of the table below "Known limits". */
export function documentedLimits(): readonly string[] {
  const text = readFileSync(join(__dirname, '../../../docs/verdicts.md'), 'utf8');
  const [, section = ''] = text.split('\n## Known limits\n');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|')[1]?.trim() ?? '');
}
