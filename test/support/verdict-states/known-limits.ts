import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The beginnings of the entries below "Known limits" in docs/verdicts.md that states stand for. */
export const KNOWN_LIMITS = {
  affinity: "A balancer that chooses the server by the client's address",
  fewServers: 'A few vulnerable servers among very many behind one address',
  otherClients: 'A target that shows the weakness to other clients only',
  ownAddress: "A target that recognizes Assay's address",
  cache: 'A cache that ignores the query and `Cache-Control`, and adds no header fields',
  gateway: 'A gateway that sets the same `Server` field on all responses',
  statusInDsl: 'A template whose `dsl` expression contains the status',
  methods: 'A file that is only reachable with a method other than GET and HEAD',
  otherPaths: 'Paths of a check other than the one with the weakness',
  ingress: 'A service that an ingress leads to by exact paths',
  wall: 'A wall that sets the `Server` field of the site and returns 404 or 403',
  region: 'A different response in another region',
  nameServerMachines: 'Several machines with different records behind the address of one name server',
} as const;

export type KnownLimit = keyof typeof KNOWN_LIMITS;

/** The entries below "Known limits", each in one line. */
export function documentedLimits(): readonly string[] {
  const text = readFileSync(join(__dirname, '../../../docs/verdicts.md'), 'utf8');
  const [, section = ''] = text.split('\n## Known limits\n');
  return section
    .split(/\n- /)
    .slice(1)
    .map((entry) => entry.replace(/\s+/g, ' ').trim());
}
