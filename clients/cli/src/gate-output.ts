import {
  commandFor,
  dataOf,
  explanationsOf,
  type GateResult,
  type PipelineRun,
  safeLine,
  type Schemas,
} from '../../sdk/src';
import { EXIT } from './problem';
import type { Session } from './session';

type Decided = Extract<GateResult, { success: unknown }>;

/** Without a result: says what becomes of the scan. */
export function showUnknown(session: Session, { uuid, scan, error }: PipelineRun, reason: string): number {
  const { output, signal } = session;
  output.stopProgress();
  const what = {
    ended: 'The scan has ended.',
    canceled: `The scan ${uuid} is canceled.`,
    running: `The scan goes on. Follow it: assay gate ${uuid} --wait. Stop it: assay cancel ${uuid}`,
    none: 'No scan was launched.',
  }[scan];
  if (output.json) output.record({ uuid: uuid ?? null, gate: 'unknown', reason, scan }, () => '');
  if (error !== undefined && !signal.aborted && scan === 'none') throw error;
  output.say(`assay: ${signal.aborted ? 'Stopped.' : safeLine(reason)} ${what}`);
  return EXIT.inconclusive;
}

export async function showGate(session: Session, uuid: string, result: Decided, url?: string): Promise<number> {
  const { gate: verdict, status, success } = result;
  const { output } = session;
  output.stopProgress();
  const findings = success.failing_findings ?? [];
  if (output.json) output.record({ uuid, status, gate: verdict, success }, () => '');
  else
    output.table(findings, {
      ID: (one) => one.id,
      SEVERITY: (one) => one.severity,
      BELIEF: (one) => (one.proved ? 'proved' : 'claimed'),
      FINDING: (one) => one.title,
      WHERE: (one) => one.place,
      CHECK: (one) => one.check,
      // Where it is no table: lines of a log are not cut.
      ...(!output.isTable && { LINK: (one: { readonly url: string }) => one.url }),
    });
  const job = await jobOf(session, uuid);
  await explain(session, uuid, findings);
  const hidden = (success.failing ?? 0) - findings.length;
  if (hidden > 0) output.say(`and ${hidden} more: assay findings`);
  const [first] = findings;
  if (first !== undefined) output.say(`Next: assay show ${first.id}, assay open ${first.id}`);
  const command = commandFor(url ?? job?.url, findings, job?.depth);
  if (command !== undefined) output.say(`Repeat these tests: ${command}`);
  output.say(`${output.colored(verdict, verdict)}: ${safeLine(success.description)}`);
  output.say(coverageOf(job, success));
  return verdict === 'passed' ? EXIT.success : EXIT.failed;
}

/** What was proved, and how to fix it. */
async function explain(
  session: Session,
  uuid: string,
  findings: Decided['success']['failing_findings'],
): Promise<void> {
  const { output, settings, signal } = session;
  if (findings === undefined || findings.length === 0) return;
  const explanations = await explanationsOf(session.client(), uuid, settings.severity, signal);
  for (const { id, title, url } of findings) {
    const { proved, fix } = explanations.get(id) ?? {};
    if (proved === undefined && fix === undefined && !output.isTable) continue;
    output.say(`\n${id} ${safeLine(title)}`);
    if (proved !== undefined) output.say(`  Proved: ${safeLine(proved)}`);
    if (fix !== undefined) output.say(`  How to fix it: ${safeLine(fix)}`);
    if (output.isTable) output.say(`  ${safeLine(url)}`);
  }
  if (explanations.size > 0 || output.isTable) output.say('');
}

type Job = Schemas['JobDetailsResponse'];

/** Undefined if it cannot be read: no result depends on it. */
async function jobOf(session: Session, uuid: string): Promise<Job | undefined> {
  try {
    return (await dataOf(session.client().GET('/v1/jobs/{uuid}', { params: { path: { uuid } } }))).job;
  } catch {
    return undefined;
  }
}

/** What was not tested, so that nobody takes it for tested. */
function coverageOf(
  job: Job | undefined,
  { incomplete_checks: incomplete = [], refused_checks: denied = [] }: Partial<Decided['success']>,
): string {
  if (job !== undefined && job.status !== 'FINISHED')
    return `Coverage: none, because the scan ended in ${safeLine(job.status)}. ${safeLine(job.error)}`;
  const named = (checks: readonly { readonly id: string }[]): string => {
    const ids = [...new Set(checks.map(({ id }) => safeLine(id)))];
    return ` (${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''})`;
  };
  const { active } = job ?? {};
  const parts = [
    incomplete.length === 0
      ? 'all checks complete'
      : `${incomplete.length} check${incomplete.length === 1 ? '' : 's'} incomplete${named(incomplete)}`,
    ...(denied.length > 0 ? [`${denied.length} refused by the target${named(denied)}`] : []),
    ...(active == null
      ? []
      : [`${active.tested} of ${active.points} insertion points tested, ${active.left_out} left out`]),
    ...(job === undefined ? ['the rest could not be read'] : []),
  ];
  return `Coverage: ${parts.join('; ')}.`;
}
