import { createHash } from 'node:crypto';
import { canonicalJson, type Fields, hasOnly, isFields, requireThat } from './evidence-parts';

export const TEST_RESULT = 'https://in-toto.io/attestation/test-result/v0.1';
export const VERIFICATION_RESULT = 'https://in-toto.io/attestation/svr/v0.2';

const OBSERVED_TYPE = 'assay/job-result/1';
const OBSERVED_FIELDS = ['type', 'job', 'url', 'depth', 'checks', 'started', 'finished', 'tests'];
const VERIFIER = 'urn:assay:gate:v1';
const PASSED = 'ASSAY_GATE_PASSED';
/** The list of the predicate that has the tests with a result. */
const LISTS: Readonly<Record<string, string>> = {
  found: 'failedTests',
  not_found: 'passedTests',
  inconclusive: 'warnedTests',
  blocked: 'warnedTests',
};

export interface Named {
  readonly name: unknown;
  readonly uri: unknown;
  readonly sha256: unknown;
}

/** Checks the predicate of what each test of a job showed, and that the subject is its result. */
export function readTestResult(predicate: Fields, subject: Named): void {
  const lists = ['passedTests', 'warnedTests', 'failedTests'];
  requireThat(
    hasOnly(predicate, ['result', 'configuration', ...lists, 'observed', 'stated_by_caller']) &&
      Array.isArray(predicate['configuration']),
    'The predicate of the statement does not have the fields of its type.',
  );
  const tests = readObserved(predicate['observed'], subject);
  for (const list of lists) {
    const names = tests.filter(({ result }) => LISTS[String(result)] === list).map(nameOf);
    requireThat(canonicalJson(predicate[list]) === canonicalJson(names), `${list} are not those of the result.`);
  }
  const has = (list: string): boolean => tests.some(({ result }) => LISTS[String(result)] === list);
  const result = has('failedTests') ? 'FAILED' : has('warnedTests') ? 'WARNED' : 'PASSED';
  requireThat(predicate['result'] === result, 'The result of the predicate is not that of its tests.');
}

/** Checks the predicate that says that a gate has passed, and that the subject is the result of the job. */
export function readVerificationResult(predicate: Fields, subject: Named): void {
  const { verifier, timeCreated: time, properties, accepted } = predicate;
  requireThat(
    hasOnly(predicate, ['verifier', 'timeCreated', 'properties', 'accepted', 'observed', 'stated_by_caller']) &&
      isFields(verifier) &&
      hasOnly(verifier, ['id', 'policies']) &&
      typeof time === 'string' &&
      !Number.isNaN(Date.parse(time)),
    'The predicate of the statement does not have the fields of its type.',
  );
  const { id, policies } = verifier;
  const [policy]: unknown[] = Array.isArray(policies) && policies.length === 1 ? policies : [];
  requireThat(
    id === VERIFIER && isFields(policy) && hasOnly(policy, ['name', 'uri']) && isPolicy(policy['uri']),
    'The statement is not of a verifier and a policy that this version knows.',
  );
  requireThat(
    Array.isArray(properties) && properties.length === 1 && properties[0] === PASSED,
    'The statement does not say that the gate has passed.',
  );
  requireThat(
    Array.isArray(accepted) && accepted.every(isAccepted),
    'The statement does not say what was accepted in the form of its type.',
  );
  readObserved(predicate['observed'], subject);
}

const isPolicy = (uri: unknown): boolean => typeof uri === 'string' && uri.startsWith(`${VERIFIER}?`);
const nameOf = ({ check, place }: Fields): string => `${String(check)} ${String(place)}`;

function readObserved(observed: unknown, { name, uri, sha256 }: Named): Fields[] {
  requireThat(
    isFields(observed) && hasOnly(observed, OBSERVED_FIELDS) && observed['type'] === OBSERVED_TYPE,
    'The predicate of the statement has no result of a job.',
  );
  const digest = createHash('sha256').update(canonicalJson(observed)).digest('hex');
  requireThat(
    name === observed['url'] && uri === observed['url'] && sha256 === digest,
    'The subject of the statement is not the URL and the digest of the result of the job.',
  );
  const tests = observed['tests'];
  requireThat(Array.isArray(tests) && tests.every(isTest), 'The result of the job has a test of an unknown form.');
  requireThat(tests.length > 0, 'The result of the job has no test.');
  return tests;
}

const isAccepted = (one: unknown): boolean =>
  isFields(one) &&
  hasOnly(one, ['check', 'asset', 'label', 'until']) &&
  typeof one['check'] === 'string' &&
  typeof one['asset'] === 'string' &&
  (one['label'] === null || typeof one['label'] === 'string') &&
  typeof one['until'] === 'string' &&
  !Number.isNaN(Date.parse(one['until']));

const isTest = (test: unknown): test is Fields =>
  isFields(test) &&
  hasOnly(test, ['check', 'place', 'result']) &&
  typeof test['check'] === 'string' &&
  typeof test['place'] === 'string' &&
  Object.hasOwn(LISTS, String(test['result']));
