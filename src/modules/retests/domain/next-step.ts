import { capitalized } from '../../../kernel/capitalized';
/** A test that decided nothing, as a retest or a job has it. */
export interface UndecidedTest {
  readonly result: string | null;
  readonly reason: string | null;
  /** Null where no finding is at the place. */
  readonly findingId: number | null;
  /** What was seen that an admin may confirm, once a retest has it. */
  readonly offer: 'site' | 'refusal' | null;
  readonly isOfJob: boolean;
}

const CONFIRMATIONS = {
  site: { of: 'that this is the site', path: 'baseline' },
  refusal: { of: 'that this refusal is the fix', path: 'baseline/refusal' },
} as const;

const LIKE_MISSING = 'answer the path in the way that paths which do not exist are answered';
const RETEST = 'and test again';
const BY_HAND = 'verify it yourself, and set the status by hand';
const PAYLOADS_ALONE = /payloads alone are refused/;

function confirmation(kind: keyof typeof CONFIRMATIONS, { findingId, isOfJob }: UndecidedTest): string {
  const { of, path } = CONFIRMATIONS[kind];
  const how = `in the portal or with PUT /v1/findings/${findingId}/${path}`;
  return isOfJob
    ? `Retest finding ${findingId}. If that sees the same, an admin may confirm ${of}, ${how}`
    : `An admin may confirm ${of}, ${how}, ${RETEST}`;
}

/** By the kind of the reason, the most exact first. `confirms`: a retest may offer a confirmation. */
const STEPS: readonly {
  readonly reason: RegExp;
  readonly step: string;
  readonly confirms?: 'site';
}[] = [
  { reason: /^(?:Nothing was sent|The target could not be tested)/, step: `Change what the reason names, ${RETEST}` },
  {
    reason: /\d parameters were not tested/,
    step: 'Test them with an active job, or accept for a time that the check is incomplete there',
  },
  {
    reason: /points? (?:were not reached|was tested|were left out)|not all pages were read|of the job .{0,300} used up/,
    step: 'Run another active job, which begins with the points that were not reached, or accept for a time that the check is incomplete',
  },
  { reason: /beacon/, step: `Start the agent of the beacon, ${RETEST}` },
  { reason: / still serves the file: /, step: `Remove the file there too, ${RETEST}` },
  { reason: /counts? (?:when|from)/, step: 'Retest after the time that the reason names' },
  {
    reason: /may be another site|another (?:owner|system) may have responded|registered it/,
    step: `See who answers at the location. If it is still yours, ${BY_HAND}; if not, remove what leads there`,
  },
  {
    reason: /cannot be confirmed to be the same/,
    step: `Correct what the reason names last, so that the page and a page that it links to answer everybody in their own words, ${RETEST}. If the finding is about a former site, replace its check or its location`,
  },
  {
    reason: /no earlier detection|baseline is from an earlier version/,
    step: 'Test it while the target still has the weakness; if it is gone, an admin sets the status by hand',
  },
  {
    reason:
      /not repeated often enough|credentials of its own|anonymous clients|too many to repeat|is not signed in|depends on who sends/,
    step: capitalized(BY_HAND),
  },
  {
    reason: /a cache responds|cache .{0,300} instead of the target/,
    step: `Purge the cache. If it answers again, let it pass on requests with Cache-Control: no-cache, or test the server behind it under an asset of its own, ${RETEST}`,
  },
  {
    reason: /missing path(?: has changed)?: (?:it (?:redirects|responds|asks)|its|the page)/,
    step: `Answer paths that do not exist as before, or with 404, ${RETEST}`,
    confirms: 'site',
  },
  {
    reason: /, which it did not do before|the (?:tested|front) page (?:redirects|asks)/,
    step: `Let the page answer by itself, without a sign-in, ${RETEST}. If it has one now, ${BY_HAND}`,
  },
  {
    reason: /another page than missing paths/,
    step: `${capitalized(LIKE_MISSING)}, ${RETEST}`,
  },
  {
    reason: /redirects to/,
    step: `Do not redirect: ${LIKE_MISSING}, ${RETEST}`,
    confirms: 'site',
  },
  {
    reason: /firewall|captcha|limits the request rate|asked later|Retry-After|wall\b/i,
    step: `Let the requests of Assay pass (ENGINE_USER_AGENT, or its address), or lower requests_per_second of the asset, ${RETEST}`,
  },
  {
    reason: /password|sign in|sign-in|login|\b401\b/i,
    step: `Answer without a sign-in: ${LIKE_MISSING}, ${RETEST}`,
  },
  {
    reason:
      /fails with 5|\b50[0-4]\b|timed? ?out|refused the connection|was reset|not answer|no answer|does not exist|failed/,
    step: `Test again when the target responds as it usually does. If it is gone for good, ${BY_HAND}`,
  },
  {
    reason:
      /differs? from the|instead of \d|missing path.{0,300}changed|another page|new look|content type|has changed/,
    step: `Answer as before, ${RETEST}. If the new page has the weakness too, record the finding again`,
    confirms: 'site',
  },
  {
    reason: /no longer answered as|refused with/,
    step: `Let the point answer its own value as before, ${RETEST}. If the fix has changed that, ${BY_HAND}`,
  },
];

const OTHERWISE = `Correct what the reason names, ${RETEST}`;

/** What gets a test out of a result that decides nothing: the portal, the API and the text of the gate say the same. */
export function nextStepOf(test: UndecidedTest): string | null {
  const { result, reason, findingId, offer } = test;
  if (result !== 'inconclusive' && result !== 'blocked') return null;
  if (offer === 'refusal' || (result === 'blocked' && offer === null)) {
    const mended = PAYLOADS_ALONE.test(reason ?? '') ? 'let the site itself answer such values' : LIKE_MISSING;
    return findingId === null || offer === null
      ? `${capitalized(mended)}, ${RETEST}.`
      : `${confirmation('refusal', test)}. Or ${mended}, ${RETEST}.`;
  }
  if (offer === 'site' && findingId !== null)
    return `${confirmation('site', test)}. Retests can say fixed an hour later.`;
  const said = (reason ?? '').replace(/^through the beacon .{1,200}?: /, '');
  const known = STEPS.find((one) => one.reason.test(said));
  const step = known?.step ?? OTHERWISE;
  return known?.confirms !== undefined && test.isOfJob && findingId !== null
    ? `${step}. If the site has changed: ${lowered(confirmation(known.confirms, test))}.`
    : `${step}.`;
}

/** Adds what to do about the test of a finding that was claimed and never seen. The stored reason is shown everywhere. */
export const withNextStep = (result: string, reason: string): string =>
  `${reason.replace(/\.$/, '')}. Next: ${nextStepOf({ result, reason, findingId: null, offer: null, isOfJob: false })}`;

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
