import type { AccessRecord, AccessRow, OwnedObject } from '../access-record';
import { FORMAT } from '../baseline';
import type { Check } from '../check';
import type { Sighting } from '../scan-request';
import { locationOf, type WebTarget } from '../target';
import { titleAt } from '../titles';
import { originOf } from '../transport/http';
import type { AccessSighting } from './access-scan-request';
import { exchangeOfRow } from './access-visit';

/** Objects of one route that are asked for. */
export const MOST_OF_ROUTE = 3;

/** Without the accounts of its direction. */
export type SeenAccess = Omit<AccessRecord, 'owner' | 'other' | 'areEquals'>;

/** What was seen, without more of the pages than the values that decide. */
export function accessSighting(check: Check, place: WebTarget, access: AccessRecord): AccessSighting {
  const { owner, other, seenAs, objects, rows } = access;
  const location = locationOf(place);
  const who = seenAs === 'nobody' ? 'without a session' : `as ${other.name}`;
  const [object] = objects;
  const what = object?.values.map((value) => JSON.stringify(value)).join(', ') ?? '';
  const nameOf = ({ as }: AccessRow): string => (as === 'owner' ? `as ${owner.name}` : who);
  const at = rows.find((row) => row.as === seenAs)?.at;
  const seen = {
    detail: `seen ${who}, got what belongs to ${owner.name} (GET ${object?.path ?? '/'} showed ${what} in two sessions)`,
    ...(at !== undefined && { seenAt: at }),
    baseline: { on: 'access', format: FORMAT, access },
    exchanges: rows.map((row) => exchangeOfRow(originOf(place), nameOf(row), row)),
  } as const;
  return { ...sightingAt(check, location, seen), seenAs: seenAs === 'nobody' ? null : other };
}

export const sightingAt = (
  check: Check,
  location: string,
  seen: Pick<Sighting, 'detail' | 'seenAt' | 'baseline' | 'exchanges'>,
): Sighting => ({
  check: check.id,
  template: null,
  location,
  title: titleAt(check, location),
  severity: check.severity,
  cwe: check.cwe[0] ?? null,
  cvss: check.cvss,
  ...seen,
});

/** A retest asks for them too. */
export function withObjects(known: AccessSighting, objects: readonly OwnedObject[]): AccessSighting {
  const { baseline } = known;
  if (baseline?.on !== 'access') return known;
  const all = [...baseline.access.objects, ...objects].slice(0, MOST_OF_ROUTE);
  return { ...known, baseline: { ...baseline, access: { ...baseline.access, objects: all } } };
}
