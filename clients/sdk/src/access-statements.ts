import { type Fields, hasOnly, isFields, requireThat, RESULTS } from './evidence-parts';
import type { Named } from './job-statements';

export const ACCESS_RETEST = 'urn:assay:access-retest:v1';

const TYPE = 'assay/access-retest/1';
const FIELDS = ['type', 'subject', 'check', 'target', 'turns', 'signed', 'verdict'];
const STATES: ReadonlySet<unknown> = new Set(['vulnerable', 'not_vulnerable', 'inconclusive', 'blocked']);

/**
 * Checks the predicate of a retest with two accounts. The digest of its subject is that of the evidence, which the statement
 * leaves out because it has what belongs to people.
 */
export function readAccessRetest({ evidence, ...rest }: Fields, subject: Named): void {
  requireThat(
    hasOnly(rest, ['stated_by_caller']) && isFields(evidence) && hasOnly(evidence, FIELDS),
    'The predicate of the statement does not have the fields of its type.',
  );
  const { type, target, turns, verdict } = evidence;
  requireThat(
    type === TYPE && isFields(verdict) && hasOnly(verdict, ['result']) && RESULTS.has(verdict['result']),
    'The predicate of the statement has no result of a retest with two accounts.',
  );
  requireThat(
    Array.isArray(turns) && turns.length > 0 && turns.every(isTurn),
    'The predicate of the statement has turns of an unknown form.',
  );
  requireThat(
    isOrigin(target) && subject.name === target && subject.uri === target && isDigest(subject.sha256),
    'The subject of the statement is not the origin of the target and a digest of the evidence.',
  );
}

const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;
const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isTurn = (turn: unknown): boolean =>
  isFields(turn) &&
  hasOnly(turn, ['started', 'result', 'requests']) &&
  typeof turn['started'] === 'string' &&
  STATES.has(turn['result']) &&
  Number.isInteger(turn['requests']);
