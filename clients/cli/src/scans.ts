import { writeFileSync } from 'node:fs';
import {
  type AssayClient,
  dataOf,
  type GateResult,
  launch,
  NotLaunchableError,
  type PipelineRun,
  readGate,
  runPipeline,
  safeLine,
  type Scan,
  waitForGate,
} from '../../sdk/src';
import { EXIT, Problem } from './problem';
import type { CommonFlags, Session } from './session';

export interface GateFlags extends CommonFlags {
  readonly wait?: boolean;
  readonly timeout?: number;
  readonly incomplete?: string;
  readonly report?: readonly string[];
}
export interface ScanFlags extends GateFlags {
  readonly beacon?: number;
  readonly checks?: readonly string[];
}

/** As GitLab and others expect them. */
const FILES: Readonly<Record<string, string>> = {
  json: 'assay.json',
  sarif: 'assay.sarif',
  gitlab: 'gl-dast-report.json',
  junit: 'assay-junit.xml',
  csv: 'assay.csv',
};
const TIMEOUT_SECONDS = 600;
const ACTIVE_TIMEOUT_SECONDS = 7_200;
const INTERVAL_MS = 2_000;

export async function scan(session: Session, url: string, flags: ScanFlags): Promise<number> {
  const { settings, output } = session;
  const { event, severity, depth } = settings;
  if (depth !== undefined && depth !== 'standard' && depth !== 'active')
    throw new Problem(`The depth is standard or active, not ${depth}.`);
  const order: Scan = { url, event, beacon: flags.beacon, checks: flags.checks, depth };
  const files = reportsOf(flags);
  if (flags.wait !== true) {
    if (files.length > 0) throw new Problem('Reports are written when the scan has ended.', 'Add --wait.');
    const uuid = await launch(session.client(), order, session.signal).catch(refused);
    output.record({ uuid, url }, () => uuid);
    output.say(`The scan of ${safeLine(url)} is launched. Next: assay gate ${uuid} --wait`);
    return EXIT.success;
  }
  const signal = limited(session, flags, depth === 'active' ? ACTIVE_TIMEOUT_SECONDS : TIMEOUT_SECONDS);
  const run = await runPipeline(session.client({ attempts: Infinity, signal: new AbortController().signal }), order, {
    signal,
    severity,
    allowIncomplete: isAllowed(flags),
    intervalMs: INTERVAL_MS,
    keepsScan: session.isInteractive,
    onLaunch: (uuid) => output.say(`Scan ${uuid} of ${safeLine(url)}`),
    onStatus: (status) => output.progress(`Scan: ${safeLine(status)}`),
    onFinished: (uuid) => writeReports(session, session.client({ attempts: Infinity, signal }), uuid, files),
  });
  if (run.error instanceof NotLaunchableError) refused(run.error);
  if (run.result.gate === 'unknown') return unknown(session, run, run.result.reason);
  return showGate(session, run.uuid ?? '', run.result, url);
}

/** The gate of a scan that was launched before. */
export async function gate(session: Session, uuid: string, flags: GateFlags): Promise<number> {
  const files = reportsOf(flags);
  const options = { severity: session.settings.severity, allowIncomplete: isAllowed(flags) };
  const signal = limited(session, flags, TIMEOUT_SECONDS);
  const client = session.client({ attempts: flags.wait === true ? Infinity : undefined, signal });
  if (flags.wait !== true) {
    const { status } = await dataOf(client.GET('/v1/jobs/{uuid}/status', { params: { path: { uuid } } }));
    const { success, isKnown } = await readGate(client, uuid, options);
    if (!isKnown) {
      session.output.say(`The scan is ${safeLine(status)}. Next: assay gate ${uuid} --wait`);
      return EXIT.inconclusive;
    }
    if (status === 'FINISHED') await writeReports(session, client, uuid, files);
    const isPassed = success.success === true && status === 'FINISHED';
    return showGate(session, uuid, { gate: isPassed ? 'passed' : 'failed', status, success });
  }
  const onStatus = (status: string): void => session.output.progress(`Scan ${uuid}: ${safeLine(status)}`);
  const onFinished = (): Promise<void> => writeReports(session, client, uuid, files);
  const result = await waitForGate(client, uuid, { ...options, signal, intervalMs: INTERVAL_MS, onStatus, onFinished });
  if (result.gate === 'unknown') return unknown(session, { uuid, result, scan: 'running' }, result.reason);
  return showGate(session, uuid, result);
}

export async function cancel(session: Session, uuid: string): Promise<void> {
  const answer = await dataOf(session.client().POST('/v1/jobs/{uuid}/cancel', { params: { path: { uuid } } }));
  session.output.say(safeLine(answer.description));
}

function refused(error: unknown): never {
  if (error instanceof NotLaunchableError) throw new Problem(error.message, undefined, EXIT.nothingTested);
  throw error;
}

/** Ends with the user, or with the time. */
function limited(session: Session, { timeout }: GateFlags, otherwise: number): AbortSignal {
  const seconds = timeout ?? otherwise;
  return AbortSignal.any([session.signal, AbortSignal.timeout(seconds * 1_000)]);
}

function isAllowed({ incomplete }: GateFlags): boolean {
  if (incomplete === undefined || incomplete === 'allow') return incomplete === 'allow';
  throw new Problem(`--incomplete is allow or nothing, not ${incomplete}.`);
}

/** `sarif` or `sarif=FILE`. */
function reportsOf({ report = [] }: GateFlags): (readonly [format: string, file: string])[] {
  return report.map((entry) => {
    const [format = '', ...path] = entry.split('=');
    const file = path.length > 0 ? path.join('=') : FILES[format];
    if (file === undefined || FILES[format] === undefined || file === '')
      throw new Problem(`--report is one of ${Object.keys(FILES).join(', ')}, not ${entry}.`);
    return [format, file];
  });
}

async function writeReports(
  session: Session,
  client: AssayClient,
  uuid: string,
  files: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [format, file] of files) {
    const query = { format, severity: session.settings.severity } as never;
    const options = { params: { path: { uuid }, query }, parseAs: 'arrayBuffer' as const };
    writeFileSync(file, Buffer.from(await dataOf(client.GET('/v1/jobs/{uuid}/report', options))));
    session.output.say(`Wrote ${file}.`);
  }
}

function unknown(session: Session, { uuid, scan, error }: PipelineRun, reason: string): number {
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

async function showGate(
  session: Session,
  uuid: string,
  { gate: verdict, status, success }: Extract<GateResult, { success: unknown }>,
  url?: string,
): Promise<number> {
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
  const hidden = (success.failing ?? 0) - findings.length;
  if (hidden > 0) output.say(`and ${hidden} more: assay findings`);
  const [first] = findings;
  if (first !== undefined) output.say(`Next: assay show ${first.id}, assay open ${first.id}`);
  const checks = [...new Set(findings.map(({ check }) => check))].filter((id) => /^[\w.:-]+$/.test(id ?? ''));
  if (checks.length > 0)
    output.say(`Repeat these tests: assay scan ${url ?? 'URL'} --wait --checks ${checks.join(' ')}`);
  output.say(`${output.colored(verdict, verdict)}: ${safeLine(success.description)}`);
  output.say(await coverageOf(session, uuid, success));
  return verdict === 'passed' ? EXIT.success : EXIT.failed;
}

/** What was not tested, so that nobody takes it for tested. */
async function coverageOf(
  session: Session,
  uuid: string,
  {
    incomplete_checks: incomplete = [],
    refused_checks: denied = [],
  }: { incomplete_checks?: { id: string }[]; refused_checks?: { id: string }[] },
): Promise<string> {
  const named = (checks: readonly { id: string }[]): string => {
    const ids = [...new Set(checks.map(({ id }) => safeLine(id)))];
    return ` (${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''})`;
  };
  const parts = [
    incomplete.length === 0
      ? 'all checks complete'
      : `${incomplete.length} check${incomplete.length === 1 ? '' : 's'} incomplete${named(incomplete)}`,
    ...(denied.length > 0 ? [`${denied.length} refused by the target${named(denied)}`] : []),
  ];
  try {
    const { job } = await dataOf(session.client().GET('/v1/jobs/{uuid}', { params: { path: { uuid } } }));
    if (job.active !== null && job.active !== undefined)
      parts.push(
        `${job.active.tested} of ${job.active.points} insertion points tested, ${job.active.left_out} left out`,
      );
    if (job.status !== 'FINISHED')
      return `Coverage: none, because the scan ended in ${safeLine(job.status)}. ${safeLine(job.error)}`;
  } catch {
    parts.push('the rest could not be read');
  }
  return `Coverage: ${parts.join('; ')}.`;
}
