import { createHash } from 'node:crypto';
import { type Envelope, signStatement, type StatedByCaller } from './attestation';
import { canonicalJson, type SigningKey } from './evidence';
import type { Coverage } from './scan-request';

/** https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md */
const TEST_RESULT = 'https://in-toto.io/attestation/test-result/v0.1';
/** https://github.com/in-toto/attestation/blob/main/spec/predicates/svr.md */
const VERIFICATION_RESULT = 'https://in-toto.io/attestation/svr/v0.2';
const OBSERVED_TYPE = 'assay/job-result/1';
/** Another one when the rules of the gate change. */
const VERIFIER = 'urn:assay:gate:v1';

const RESULTS = {
  vulnerable: 'found',
  not_vulnerable: 'not_found',
  inconclusive: 'inconclusive',
  blocked: 'blocked',
} as const;

/** What a finished job has tested. */
export interface TestedJob {
  readonly uuid: string;
  readonly url: string;
  readonly depth: string;
  /** Null for all built-in checks. */
  readonly checks: readonly string[] | null;
  readonly started: Date | null;
  readonly finished: Date | null;
  readonly coverage: readonly Pick<Coverage, 'check' | 'location' | 'outcome'>[];
}

/** A check whose findings, or whose missing result, did not count. */
interface AcceptedInGate {
  readonly check: string;
  readonly asset: string;
  /** Of the assets on which it is accepted; empty for all assets, null for this asset alone. */
  readonly label: string | null;
  readonly until: Date;
}

/** What the gate was asked, and answered with yes. */
export interface PassedGate {
  readonly severity: string;
  readonly allowsIncomplete: boolean;
  /** The reference whose findings did not count. */
  readonly newSince: string | null;
  /** What admins have accepted, without which it would not have passed as it did. */
  readonly accepted: readonly AcceptedInGate[];
  readonly now: Date;
}

interface Observed {
  readonly type: typeof OBSERVED_TYPE;
  readonly job: string;
  readonly url: string;
  readonly depth: string;
  readonly checks: readonly string[] | null;
  readonly started: string | null;
  readonly finished: string | null;
  readonly tests: readonly { readonly check: string; readonly place: string; readonly result: string }[];
}

function observedOf({ uuid, url, depth, checks, started, finished, coverage }: TestedJob): Observed {
  const tests = coverage.flatMap(({ check, location: place, outcome }) =>
    outcome === 'not_applicable' ? [] : [{ check, place, result: RESULTS[outcome] }],
  );
  return {
    type: OBSERVED_TYPE,
    job: uuid,
    url,
    depth,
    checks,
    started: started?.toISOString() ?? null,
    finished: finished?.toISOString() ?? null,
    tests,
  };
}

/**
 * Weak: a job keeps no page, so that the digest is that of its result, which the statement contains. It binds the statement to
 * this result, and not to what was deployed.
 */
function subjectOf(observed: Observed): object {
  const sha256 = createHash('sha256').update(canonicalJson(observed)).digest('hex');
  return { name: observed.url, uri: observed.url, digest: { sha256 } };
}

/** What each test of a job showed, whatever people have decided since. */
export function attestTests(job: TestedJob, stated: StatedByCaller | null, key: SigningKey): Envelope {
  const observed = observedOf(job);
  const named = (...results: readonly string[]): string[] =>
    observed.tests.flatMap(({ check, place, result }) => (results.includes(result) ? [`${check} ${place}`] : []));
  const failed = named('found');
  const warned = named('inconclusive', 'blocked');
  const predicate = {
    result: failed.length > 0 ? 'FAILED' : warned.length > 0 ? 'WARNED' : 'PASSED',
    configuration: (job.checks ?? ['all']).map((check) => ({
      name: check,
      uri: `urn:assay:check:${encodeURIComponent(check)}`,
    })),
    passedTests: named('not_found'),
    warnedTests: warned,
    failedTests: failed,
    observed,
    stated_by_caller: stated,
  };
  return signStatement(subjectOf(observed), TEST_RESULT, predicate, key);
}

/** That a pipeline may continue. There is no statement of a gate that has not passed. */
export function attestGate(job: TestedJob, gate: PassedGate, stated: StatedByCaller | null, key: SigningKey): Envelope {
  const observed = observedOf(job);
  const { severity, allowsIncomplete, newSince, accepted, now } = gate;
  const asked = new URLSearchParams({
    severity,
    ...(allowsIncomplete && { incomplete: 'allow' }),
    ...(newSince !== null && { fail_on: 'new', reference: newSince }),
  });
  const predicate = {
    verifier: { id: VERIFIER, policies: [{ name: 'gate', uri: `${VERIFIER}?${asked.toString()}` }] },
    timeCreated: now.toISOString(),
    properties: ['ASSAY_GATE_PASSED'],
    accepted: accepted.map((one) => ({ ...one, until: one.until.toISOString() })),
    observed,
    stated_by_caller: stated,
  };
  return signStatement(subjectOf(observed), VERIFICATION_RESULT, predicate, key);
}
