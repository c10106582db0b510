import { FINDING_STATUS, NO_CHECK, type VerificationResult } from '../../modules/findings';
import { decisiveProbe, excerptOfProbe, type ProbeExcerpt } from '../../modules/reports';
import type { RetestSummary, ShownConfirmation } from '../../modules/retests';
import { resultOf } from '../frame/badges';
import { stepInPortal } from '../frame/reason';
import type { FindingView } from './finding-reader';

/** When it was decided, which is not when it ended. Tests of earlier versions say only this. */
const momentOf = ({ decided, finished }: RetestSummary): Date | null => decided ?? finished;

/** A statement about whether the weakness is there. */
interface Statement {
  readonly verdict: string;
  readonly at: Date | null;
  readonly reason: string | null;
  /** The retest that made it. */
  readonly retest?: RetestSummary;
  /** What it is about, if a person made it. */
  readonly confirmedRefusal?: ShownConfirmation;
}

export const VERIFICATIONS: Readonly<Record<VerificationResult, string>> = {
  confirmed: 'vulnerable',
  refuted: 'not_vulnerable',
  inconclusive: 'could_not_be_decided',
  untested: 'not_tested',
};

const isByRefusal = (comment: string): boolean => comment.endsWith(' is fixed by refusal.');

/** The newest one of the last retest, the last scans that saw it or its fix, and the test when it was recorded. */
export function newestStatement({ finding, retests, scanEvidence, confirmedRefusal }: FindingView): Statement {
  const { verification, verifiedAt, verificationReason } = finding;
  const statements: Statement[] = [];
  const retest = retests.find(({ status }) => status !== 'canceled');
  if (retest !== undefined) {
    const { created, reason } = retest;
    statements.push({ verdict: resultOf(retest), at: momentOf(retest) ?? created, reason, retest });
  }
  // Until a retest says more.
  if (confirmedRefusal !== null)
    statements.push({ verdict: 'refusal_confirmed', at: confirmedRefusal.at, reason: null, confirmedRefusal });
  if (scanEvidence !== null)
    statements.push({ verdict: 'vulnerable', at: new Date(scanEvidence.at), reason: scanEvidence.detail });
  // A scan that confirms a fix has no retest.
  for (const { at, to, actor, comment } of finding.transitions)
    if (to === FINDING_STATUS.resolved && actor.type === 'system' && comment?.startsWith('Job ') === true)
      statements.push({
        verdict: isByRefusal(comment) ? 'fixed_by_refusal' : 'fixed',
        at,
        reason: comment.replace(/^Job \S+/, 'A scan'),
      });
  // The scan says what was seen, where its test only says that it was seen.
  if (scanEvidence === null || verification !== 'confirmed')
    statements.push({
      verdict: VERIFICATIONS[verification],
      at: verifiedAt,
      reason: stepInPortal(verificationReason ?? NO_CHECK),
    });
  return statements.reduce((newest, one) => (Number(one.at) > Number(newest.at) ? one : newest));
}

/** What was sent and received last: by a retest, or by the scan that saw it. */
interface ShownProbe extends ProbeExcerpt {
  readonly state: string;
  readonly at: string;
  readonly detail: string;
  /** Undefined for a scan. */
  readonly retest: RetestSummary | undefined;
}

/** The probe of the last retest that has evidence, unless a scan has seen the weakness since. */
export function shownProbe({ finding, retests, scanEvidence }: FindingView): ShownProbe | undefined {
  const retest = retests.find(({ probes }) => probes.length > 0);
  const tested = retest && decisiveProbe(retest.probes);
  const isOfScan =
    scanEvidence !== null && (retest === undefined || new Date(scanEvidence.at) > (momentOf(retest) ?? retest.created));
  const probe = isOfScan ? scanEvidence : tested;
  if (probe === undefined) return undefined;
  const { state, at, detail } = probe;
  return { ...excerptOfProbe(probe, finding.location), state, at, detail, retest: isOfScan ? undefined : retest };
}

/** The URL of the decisive request, or the location of the finding if it is more exact. */
export function placeOf(view: FindingView): string {
  const { location, assetValue } = view.finding;
  if (location === null) return assetValue;
  const path = /^[A-Z]+ (\/\S*) HTTP\//.exec(shownProbe(view)?.decisive?.request[0]?.text ?? '')?.[1];
  if (path === undefined || location.includes('?') || !URL.canParse(path, location)) return location;
  return new URL(path, location).href;
}
