import type { PointKind } from '../target';
import type { KnownPoint } from './active-scan-request';

/** The kinds with the most weaknesses come first. */
const KINDS: readonly PointKind[] = ['query', 'graphql', 'form', 'json', 'segment', 'cookie', 'header'];

/** Points that were never tested come first, then those with the oldest test. */
export const oldestFirst = (one: KnownPoint, other: KnownPoint): number =>
  (one.testedAt?.getTime() ?? 0) - (other.testedAt?.getTime() ?? 0) ||
  KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);
