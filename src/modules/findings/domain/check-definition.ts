import { type Check, checkById, checkFromYaml, locationOf, parseTarget, placeOf, type Target } from '../../../engine';
import { DomainError, invalid } from '../../../kernel/domain-error';

/** How a finding is tested again, as it is kept: where, and the check itself where it is none of ours. */
export interface CheckDefinition {
  readonly location: string;
  /** A check in YAML. */
  readonly http?: string;
}

/** A check as a finding has it: its id, and its checkDefinition as the database kept it. */
export interface RecordedCheck {
  readonly checkId: string | null;
  readonly checkDefinition: unknown;
}

export interface TestOfFinding {
  readonly check: Check;
  readonly target: Target;
}

export interface ParsedCheck {
  readonly checkId: string;
  readonly checkDefinition: CheckDefinition;
  readonly target: Target;
  /** What whoever records it has to know of it, in sentences. */
  readonly warnings: readonly string[];
}

/** Of a URL, anywhere in the interface; also when it is percent-encoded, as it is kept. */
export const MAX_LOCATION_LENGTH = 2_048;

/** A check as it is sent. */
export interface CheckInput {
  readonly id?: string;
  /** A check in YAML. */
  readonly http?: string;
  readonly location: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkOf({ id, http }: CheckInput): Check | ReturnType<typeof checkFromYaml> {
  if (http !== undefined && id === undefined) return checkFromYaml(http);
  if (id === undefined || http !== undefined) {
    throw invalid('check must have either id, the id of a check of ours, or http, a check in YAML.');
  }
  const check = checkById(id);
  if (check === null) throw invalid(`check.id "${id.slice(0, 100)}" is no check that is known.`);
  return check;
}

const locationTooLong = (): DomainError => invalid(`check.location must be at most ${MAX_LOCATION_LENGTH} characters.`);

function targetAt(location: string): Target {
  if (location.length > MAX_LOCATION_LENGTH) throw locationTooLong();
  try {
    return parseTarget(location);
  } catch (error) {
    throw error instanceof DomainError ? invalid(`check.location: ${error.message}`) : error;
  }
}

/** A check as somebody sends it. Nothing is run. */
export function parseCheck(sent: CheckInput): ParsedCheck {
  const check = checkOf(sent);
  const { http, location } = sent;
  const placement = placeOf(check, targetAt(location));
  if (!placement.applicable) throw invalid(`check.location does not suit ${check.id}: ${placement.reason}.`);
  const kept = locationOf(placement.place);
  if (kept.length > MAX_LOCATION_LENGTH) throw locationTooLong();
  const checkDefinition = { location: kept, ...(http !== undefined && { http }) };
  return {
    checkId: check.id,
    checkDefinition,
    target: placement.place,
    warnings: 'warnings' in check ? check.warnings() : [],
  };
}

/** Where a finding's check looks, as the database kept it; null where there is none. */
export const locationOfCheckDefinition = (checkDefinition: unknown): string | null =>
  isRecord(checkDefinition) && typeof checkDefinition['location'] === 'string' ? checkDefinition['location'] : null;

/** What to run, and at what; null where there is no check, or none any more that this version knows. */
export function testOfFinding({ checkId, checkDefinition }: RecordedCheck): TestOfFinding | null {
  if (checkId === null || !isRecord(checkDefinition)) return null;
  const { location, http } = checkDefinition;
  if (typeof location !== 'string' || (http !== undefined && typeof http !== 'string')) return null;
  try {
    const check = http === undefined ? checkById(checkId) : checkFromYaml(http);
    return check === null ? null : { check, target: parseTarget(location) };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
