import { createHash } from 'node:crypto';
import { isWeb, locationOf, parseLocation } from '../../../engine/target';
import { conflict, forbidden, invalid, notFound, unprocessable } from '../../../kernel/domain-error';
import { groupBy } from '../../../kernel/group-by';
import type { JobSuccess } from './job-success';

/** Where a finding is, as a reference compares it. */
export interface ComparedPlace {
  /** Of the finding itself, which may be merged into another one. */
  readonly ownId: number;
  readonly checkId: string | null;
  /** Null if the check is a YAML check, which may have any id. */
  readonly builtInCheck: string | null;
  /** Null if nothing was tested there. */
  readonly location: string | null;
  /** The account that sees it; null without a session. */
  readonly account: number | null;
  readonly severity: number;
}

/** What a reference keeps of a finding. */
export interface RecordedFinding {
  readonly key: string;
  readonly id: number;
  readonly severity: number;
}

/** What a pipeline compares with. `unknown`: the asset has no reference of this name. `empty`: no job was recorded. */
export type Reference =
  | { readonly state: 'unknown' | 'empty'; readonly name: string }
  | {
      readonly state: 'recorded';
      readonly name: string;
      readonly jobUuid: string;
      readonly findings: readonly RecordedFinding[];
      /** Those that were fixed, resolved or deleted after the recorded job. */
      readonly fixed: ReadonlySet<number>;
    };

/** Whether a finding is new. Each value but `known` fails a job that fails only for new findings. */
export type Newness = 'no_reference' | 'not_recorded' | 'fixed_since' | 'more_severe' | 'known';

export const MAX_RECORDED = 2_000;
export const MAX_OF_ASSET = 20;
export const MAX_OF_ORGANIZATION = 500;
export const MAX_KEYS = 20;
export const MAX_NAME_LENGTH = 100;
export const DEFAULT_REFERENCE = 'main';

const NAME = /^[a-z\d][\w.-]*$/i;

export function requireReferenceName(text: string): void {
  if (text.length > MAX_NAME_LENGTH || !NAME.test(text))
    throw invalid(`reference must be 1 to ${MAX_NAME_LENGTH} letters, digits, dots, dashes and underscores.`);
}

const ACCESS_KEY = /^ak_\w{1,100}$/;
export const isAccessKey = (text: unknown): boolean => typeof text === 'string' && ACCESS_KEY.test(text);

export function requireAccessKeys(keys: readonly string[]): void {
  if (keys.length > MAX_KEYS || !keys.every(isAccessKey))
    throw invalid(`access_keys must be at most ${MAX_KEYS} access keys, such as ak_…, without their secrets.`);
}

/** A name, or the id of another asset and a name: `12/main`. */
export function requireReferenceText(text: string): void {
  requireReferenceName(text.replace(/^[1-9]\d{0,8}\//, ''));
}

export function referenceOf(text: string, ownAssetId: number | null): { assetId: number | null; name: string } {
  const [first = '', name] = text.split('/');
  return name === undefined ? { assetId: ownAssetId, name: first } : { assetId: Number(first), name };
}

/**
 * Equal for one weakness on two hosts: its check, path and point (the parameter, header, cookie or field), and whether it needs
 * an account. The kind of the point implies the method. A finding without a check is itself alone, and one at a place that was
 * not tested has no key.
 */
export function placeKeyOf({ ownId, checkId, builtInCheck, location, account }: ComparedPlace): string | null {
  if (checkId === null) return `finding ${ownId}`;
  if (location === null) return null;
  const target = parseLocation(location);
  const place = locationOf({ ...target, host: 'host', ...(isWeb(target) && { scheme: 'http' as const, port: 80 }) });
  const text = [builtInCheck === null ? 'template' : 'check', checkId, place, account === null ? '' : 'signed in'];
  return createHash('sha256').update(JSON.stringify(text)).digest('base64url');
}

/** The most severe findings are kept. Others count as new later. */
export const recordedFindings = (places: readonly ComparedPlace[]): RecordedFinding[] =>
  places
    .flatMap((place) => {
      const key = placeKeyOf(place);
      return key === null ? [] : [{ key, id: place.ownId, severity: place.severity }];
    })
    .toSorted((one, other) => other.severity - one.severity || one.id - other.id)
    .slice(0, MAX_RECORDED);

/** Whether a finding is new compared with the reference. It is, unless the reference is known to have had it. */
export function newnessBy(reference: Reference): (place: ComparedPlace) => Newness {
  if (reference.state !== 'recorded') return () => 'no_reference';
  const byKey = groupBy(reference.findings, ({ key }) => key);
  return (place) => {
    const key = placeKeyOf(place);
    const recorded = key === null ? [] : (byKey.get(key) ?? []);
    if (recorded.length === 0) return 'not_recorded';
    const still = recorded.filter(({ id }) => !reference.fixed.has(id));
    if (still.length === 0) return 'fixed_since';
    return still.some(({ severity }) => severity >= place.severity) ? 'known' : 'more_severe';
  };
}

/** Without a recorded reference no job passes. With one, the outcome stays as it is. */
export function withReference(outcome: JobSuccess, reference: Reference, known: number): JobSuccess {
  if (outcome.success === null) return outcome;
  const { state, name } = reference;
  if (state === 'recorded') {
    const sentence = `Known findings of the reference ${name} (job ${reference.jobUuid}) do not count: ${known}.`;
    return { ...outcome, description: `${outcome.description} ${sentence}` };
  }
  const problem =
    state === 'unknown'
      ? `The asset of the job has no reference ${name}: an admin adds it.`
      : `The reference ${name} has no recorded job: a key that it names records one.`;
  return { ...outcome, success: false, description: `${problem} ${outcome.description}` };
}

export const referenceNotFound = () => notFound('Reference');

export const tooManyReferences = (limit: number, of: string) =>
  unprocessable(`An ${of} has at most ${limit} references. Delete one first.`);

export const keyNotNamed = (name: string) =>
  forbidden(`The reference ${name} does not name this key. An admin names the keys that may record jobs as it.`);

export const notRecordable = () =>
  conflict('Only a FINISHED job can be recorded: what another job did not test would count as tested.');
