import { readFileSync, writeFileSync } from 'node:fs';
import {
  type AssayClient,
  commandFor,
  createAssay,
  dataOf,
  type Explanation,
  explanationsOf,
  incompleteSarif,
  limited,
  nodeFetch,
  type PipelineRun,
  recordReference,
  runPipeline,
  safeLine,
  type Scan,
  withCategory,
} from '../../sdk/src';
import { writeComment } from './comment';
import { markdownOf } from './markdown';
import type { Runner } from './runner';

declare const ASSAY_VERSION: string;

const SEVERITIES = ['none', 'info', 'low', 'medium', 'high', 'critical', 'cosmic'];
/** GitHub shows ten annotations of a step. */
const MAX_ANNOTATIONS = 10;
/** A longer time would end a wait at once. */
const MAX_SECONDS = 2_000_000;

/** One of these words, so that a misspelled one is no silent default. */
function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === value);
  if (word === undefined) throw new Error(`The input ${name} must be one of ${words.join(', ')}.`);
  return word;
}

function wholeOf(name: string, value: string): number {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new Error(`The input ${name} must be a whole number.`);
}

/** Runs the scan and returns the exit code: 0 only if it succeeded. */
export async function runAction(runner: Runner, stopped: AbortSignal, intervalMs = 5_000): Promise<number> {
  try {
    return await scanned(runner, stopped, intervalMs);
  } catch (error) {
    runner.annotate('error', 'Assay', error instanceof Error ? error.message : String(error));
    return 2;
  }
}

async function scanned(runner: Runner, stopped: AbortSignal, intervalMs: number): Promise<number> {
  const secret = runner.required('api-secret');
  runner.hide(secret);
  const severity = oneOf('severity', runner.input('severity') ?? 'medium', SEVERITIES);
  const allowIncomplete = runner.input('incomplete') !== undefined;
  if (allowIncomplete) oneOf('incomplete', runner.input('incomplete') ?? '', ['allow']);
  const isNew = oneOf('fail-on', runner.input('fail-on') ?? 'all', ['all', 'new']) === 'new';
  const record = runner.input('record');
  const url = runner.required('url');
  const beacon = runner.input('beacon');
  const scan: Scan = {
    url,
    event: runner.input('event'),
    beacon: beacon === undefined ? undefined : wholeOf('beacon', beacon),
    checks: runner.input('checks')?.split(/\s+/),
    depth: oneOf<'standard' | 'active'>('depth', runner.input('depth') ?? 'standard', ['standard', 'active']),
  };
  const category = runner.input('category') ?? 'assay';
  const caFile = runner.input('ca-file');
  const client = createAssay({
    url: runner.required('assay-url'),
    key: runner.required('api-key'),
    secret,
    attempts: Infinity,
    userAgent: `assay-action/${ASSAY_VERSION}`,
    fetch: nodeFetch({ ca: caFile === undefined ? undefined : readFileSync(caFile, 'utf8'), environment: runner.env }),
    onRetry: ({ message }) => runner.log(`${message} Trying again.`),
  });
  const timeout = wholeOf('timeout', runner.input('timeout') ?? '600');
  const signal = limited(Math.min(timeout, MAX_SECONDS) * 1_000, stopped);
  const file = runner.input('sarif-file') ?? 'assay.sarif';
  let explanations: ReadonlyMap<number, Explanation> = new Map();
  let isReported = false;
  const run = await runPipeline(client, scan, {
    signal,
    severity,
    allowIncomplete,
    newSince: isNew ? (runner.input('reference') ?? 'main') : undefined,
    intervalMs,
    onLaunch: (uuid) => runner.log(`Scan ${uuid} of ${url}`),
    onStatus: (status) => runner.log(`The scan is ${status}`),
    onFinished: async (uuid) => {
      writeFileSync(file, await sarifOf(client, uuid, severity, category, signal));
      isReported = true;
      if (record !== undefined) runner.log(await recordReference(client, uuid, record, signal));
      explanations = await explanationsOf(client, uuid, severity, signal);
    },
  });
  // Always, so that a step that uploads it finds it.
  if (!isReported) {
    const { result } = run;
    const reason = safeLine(result.gate === 'unknown' ? result.reason : result.success.description);
    writeFileSync(file, incompleteSarif(category, reason, ASSAY_VERSION));
  }
  runner.output('success', run.result.gate === 'unknown' ? '' : String(run.result.gate === 'passed'));
  runner.output('uuid', run.uuid ?? '');
  runner.output('report', file);
  annotate(runner, url, run);
  const markdown = markdownOf({ url, uuid: run.uuid, result: run.result, scan: run.scan, explanations });
  runner.summary(markdown);
  await commented(runner, category, markdown);
  return run.result.gate === 'passed' ? 0 : run.result.gate === 'failed' ? 1 : 2;
}

async function sarifOf(
  client: AssayClient,
  uuid: string,
  severity: string,
  category: string,
  signal: AbortSignal,
): Promise<string> {
  const query = { format: 'sarif', severity } as never;
  const log = await dataOf(client.GET('/v1/jobs/{uuid}/report', { params: { path: { uuid }, query }, signal }));
  return withCategory(log, category);
}

function annotate(runner: Runner, url: string, { result, scan, uuid }: PipelineRun): void {
  if (result.gate === 'unknown') {
    const what =
      scan === 'running' ? ` The scan ${uuid} goes on.` : scan === 'canceled' ? ' The scan is canceled.' : '';
    return runner.annotate('error', 'Assay: no result', `${result.reason}${what}`);
  }
  const { success, gate } = result;
  runner.annotate(gate === 'passed' ? 'notice' : 'error', `Assay: ${gate}`, success.description);
  const findings = success.failing_findings ?? [];
  for (const { severity, title, place, url: link } of findings.slice(0, MAX_ANNOTATIONS - 1))
    runner.annotate('error', `${severity}: ${title}`, `${place ?? url}: ${link}`);
  for (const { severity, title, place, url: link } of findings)
    runner.log(`${severity}: ${safeLine(title)}, at ${safeLine(place)}: ${link}`);
  const command = commandFor(url, findings);
  if (command !== undefined) runner.log(`To repeat these tests: ${command}`);
}

/** A comment that cannot be written, as in a pull request of a fork, changes no result. */
async function commented(runner: Runner, category: string, markdown: string): Promise<void> {
  const token = runner.input('github-token');
  if (runner.input('comment') !== 'true' || token === undefined) return;
  try {
    await writeComment(runner, token, category, markdown);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    runner.annotate('warning', 'Assay', `The comment in the pull request could not be written: ${reason}`);
  }
}
