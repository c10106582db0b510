import { isRecord } from '../../../kernel/is-record';
import { needsPoint, placeOf } from '../../../engine/check';
import { checkById } from '../../../engine/checks';
import type { Check, SeenTarget, Target, TemplateOrigin, TemplateRequest } from '../../../engine';
import { mayChange } from '../../../engine/may-change';
import { isWeb, locationOf, parseLocation } from '../../../engine/target';
import { checkFromYaml } from '../../../engine/templates/check-from-yaml';
import { requestsOfTemplate } from '../../../engine/templates/requests-of-template';
import { DomainError, invalid } from '../../../kernel/domain-error';
import { TEMPLATE_PREFIX } from '../../checks/domain/template-prefix';
import { requireCheckId } from './check-id';

/** The check of a finding as it is stored: its location, and its YAML unless it is a built-in check. */
export interface CheckDefinition {
  readonly location: string;
  /** A YAML check. */
  readonly http?: string;
  /** The path at which a scanner saw it, if its check requests several. */
  readonly path?: string;
  /** What a scanner saw of the target. A test compares it, so that it recognizes a different site there. */
  readonly seen?: SeenTarget;
  /** The YAML is a request from a scanner's file. It may confirm the weakness, but never refutes it. */
  readonly replay?: true;
  /** The account of the asset with which it was seen, and as which it is tested. Absent: tested without signing in. */
  readonly account?: number;
}

/** The stored check of a finding. */
export interface RecordedCheck {
  readonly checkId: string | null;
  readonly checkDefinition: unknown;
  /** Whether an admin allowed it to change state on the target. */
  readonly allowUnsafe?: boolean;
}

export interface TestOfFinding {
  readonly check: Check;
  readonly target: Target;
  /** Why it may not run, with the remedy; or null. */
  readonly forbidden: string | null;
  /** The path that decides whether the reported weakness exists; null if nothing says which. */
  readonly path: string | null;
  readonly seen: SeenTarget | null;
  /** Whether it is a replay, which cannot refute the weakness. */
  readonly isReplay: boolean;
  /** The account as which it runs; null without signing in. */
  readonly accountId: number | null;
}

export interface ParsedCheck {
  readonly checkId: string;
  readonly checkDefinition: CheckDefinition;
  readonly target: Target;
  /** The main CWE of the check. */
  readonly cwe: number | null;
  /** Sentences for the person who records it. */
  readonly warnings: readonly string[];
  /** Whether the request allows the check to change state on the target. Absent: as before. */
  readonly allowUnsafe?: boolean;
}

/** Applies to the location as given and to its percent-encoded form as stored. */
export const MAX_LOCATION_LENGTH = 2_048;

/** A check in a request. */
export interface CheckInput {
  /** Of a built-in check, or of a template in the library. */
  readonly id?: string;
  /** A YAML check. */
  readonly http?: string;
  readonly location: string;
  readonly allowUnsafe?: boolean;
}

function checkOf({ id, http }: CheckInput, origin?: TemplateOrigin): Check | ReturnType<typeof checkFromYaml> {
  if (http !== undefined && id === undefined) return checkFromYaml(http, { origin });
  if (id === undefined || http !== undefined) {
    throw invalid('check must have either id (of a built-in check or loaded template) or http (a YAML check).');
  }
  const check = checkById(requireCheckId(id.slice(0, 100), 'check.id'));
  if (check === null) throw new Error(`the check ${id} is not among the built-in ones`);
  return check;
}

/** The template id in the library, or null if the check is not from the library. */
export const libraryIdOf = ({ id, http }: CheckInput): string | null =>
  http === undefined && id?.startsWith(TEMPLATE_PREFIX) === true ? id.slice(TEMPLATE_PREFIX.length) : null;

const locationTooLong = (): DomainError => invalid(`check.location must be at most ${MAX_LOCATION_LENGTH} characters.`);

function targetAt(location: string): Target {
  if (location.length > MAX_LOCATION_LENGTH) throw locationTooLong();
  try {
    return parseLocation(location);
  } catch (error) {
    throw error instanceof DomainError ? invalid(`check.location: ${error.message}`) : error;
  }
}

const unsafeMethodsOfCheck = (check: Check | ReturnType<typeof checkFromYaml>): readonly string[] =>
  'unsafeMethods' in check ? check.unsafeMethods : [];

const NOT_ALLOWED =
  'this check changes state; an admin must allow it: PATCH /v1/findings/{finding_id}/ with "allow_unsafe": true.';

const MAY_CHANGE =
  'its address reads as one that changes something, such as deletes, orders or sends, and experiments are sent to none of these.';

/** Jobs do not send experiments there either, so this applies to every user. */
function experimentsThere(check: Check, place: Target): string | null {
  if (!needsPoint(check) || !isWeb(place)) return null;
  const { path, parameter = '', within } = place;
  return mayChange(within === undefined ? `${path}?${parameter}=` : path) ? MAY_CHANGE : null;
}

/** Validates a check without running it. */
export const parseCheck = (input: CheckInput, origin?: TemplateOrigin): ParsedCheck =>
  checkAt(checkOf(input, origin), input);

/** Parses a YAML check once, for use with several locations. */
export function yamlCheck(http: string, origin?: TemplateOrigin): (location: string) => ParsedCheck {
  const check = checkFromYaml(http, { origin });
  return (location) => checkAt(check, { http, location });
}

/** The properties of a YAML check and the requests that it sends. */
export interface DescribedTemplate {
  readonly checkId: string;
  readonly requests: readonly TemplateRequest[];
  readonly unsafeMethods: readonly string[];
  readonly missingValues: readonly string[];
}

export function describeTemplate(http: string, origin?: TemplateOrigin): DescribedTemplate {
  const { id: checkId, unsafeMethods, missingValues } = checkFromYaml(http, { origin });
  return { checkId, requests: requestsOfTemplate(http), unsafeMethods, missingValues };
}

function checkAt(
  check: Check | ReturnType<typeof checkFromYaml>,
  { http, location, allowUnsafe }: CheckInput,
): ParsedCheck {
  if (allowUnsafe === true && unsafeMethodsOfCheck(check).length === 0)
    throw invalid('check.allow_unsafe: the check only sends GET, HEAD and OPTIONS, so there is nothing to allow.');
  const placement = placeOf(check, targetAt(location));
  if (!placement.applicable) throw invalid(`check.location is not suitable for ${check.id}: ${placement.reason}.`);
  const canonicalLocation = locationOf(placement.place);
  if (canonicalLocation.length > MAX_LOCATION_LENGTH) throw locationTooLong();
  const checkDefinition = { location: canonicalLocation, ...(http !== undefined && { http }) };
  return {
    checkId: check.id,
    checkDefinition,
    target: placement.place,
    cwe: check.cwe[0] ?? null,
    warnings: 'warnings' in check ? check.warnings(allowUnsafe) : [],
    allowUnsafe,
  };
}

/** The location in a stored check definition, or null. */
export const locationOfCheckDefinition = (checkDefinition: unknown): string | null =>
  isRecord(checkDefinition) && typeof checkDefinition['location'] === 'string' ? checkDefinition['location'] : null;

/** The account as which the stored check is tested; null without signing in. */
export const accountOfCheckDefinition = (checkDefinition: unknown): number | null =>
  isRecord(checkDefinition) && typeof checkDefinition['account'] === 'number' ? checkDefinition['account'] : null;

/** Whether the stored check is in YAML. Its id may be the same as that of a built-in check. */
export const isYamlCheck = (checkDefinition: unknown): boolean =>
  isRecord(checkDefinition) && checkDefinition['http'] !== undefined;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const readSeen = ({ server, title, address, isSignedIn }: Record<string, unknown>): SeenTarget => ({
  server: textOrNull(server),
  title: textOrNull(title),
  address: textOrNull(address),
  isSignedIn: isSignedIn === true,
});

/** Null if there is no check or this version does not know it; an error if this version refuses it. */
function readTest({
  checkId,
  checkDefinition,
  allowUnsafe = false,
}: RecordedCheck): TestOfFinding | DomainError | null {
  if (checkId === null || !isRecord(checkDefinition)) return null;
  const { location, http, path = null, seen } = checkDefinition;
  if (typeof location !== 'string' || (http !== undefined && typeof http !== 'string')) return null;
  try {
    const check = http === undefined ? checkById(checkId) : checkFromYaml(http, { allowUnsafe, origin: 'loaded' });
    if (check === null) return null;
    const target = parseLocation(location);
    const isUnsafe = unsafeMethodsOfCheck(check).length > 0 && !allowUnsafe;
    const forbidden = isUnsafe ? NOT_ALLOWED : experimentsThere(check, target);
    return {
      check,
      target,
      forbidden,
      path: typeof path === 'string' ? path : null,
      seen: isRecord(seen) ? readSeen(seen) : null,
      isReplay: checkDefinition['replay'] === true,
      accountId: accountOfCheckDefinition(checkDefinition),
    };
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** The check to run and its target. Null if there is no check that this version can run. */
export function testOfFinding(finding: RecordedCheck): TestOfFinding | null {
  const test = readTest(finding);
  return test instanceof DomainError ? null : test;
}

/** Why this version refuses the stored check, such as a limit that was added later; null if it does not. */
export function refusalOfCheck(finding: RecordedCheck): string | null {
  const test = readTest(finding);
  return test instanceof DomainError ? test.message.replace(/^check(?:\.http)?: /, '') : null;
}

/** Why the check of the finding cannot run. */
export function whyNotRun(finding: RecordedCheck): string {
  const refusal = refusalOfCheck(finding);
  if (refusal === null) return 'The finding has no check that can run.';
  return `This version of the service cannot run its check: ${refusal}`;
}

/** The methods of its check that may change state on the target; empty without a YAML check that this version can run. */
export function unsafeMethodsOf(finding: RecordedCheck): readonly string[] {
  const test = testOfFinding(finding);
  return test === null ? [] : unsafeMethodsOfCheck(test.check);
}
