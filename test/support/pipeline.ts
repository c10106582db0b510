import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { binaryOf } from '../../src/engine/testing/real-server';
import type { Credentials } from './client';

/** `describe`, or `describe.skip` without curl; the end of the test run lists missing programs. */
export const withCurl = binaryOf('curl') === null ? describe.skip : describe;

export const script = join(__dirname, '../../examples/pipeline.sh');

/** A started command. */
export interface Run {
  readonly child: ChildProcess;
  output(): string;
  errors(): string;
  readonly exit: Promise<number | null>;
}

export function run(
  command: string,
  parameters: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string,
): Run {
  const child = spawn(command, parameters, { cwd, env: { PATH: process.env['PATH'] ?? '', ...environment } });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, exit, output: () => texts.out, errors: () => texts.err };
}

export interface PipelineSettings {
  readonly credentials: Credentials;
  readonly service: string;
  readonly shell?: string;
  readonly severity?: string;
  readonly event?: string;
  readonly beacon?: string;
  readonly checks?: string;
  readonly incomplete?: string;
  /** The values of ASSAY_FAIL_ON, ASSAY_REFERENCE and ASSAY_RECORD. */
  readonly failOn?: string;
  readonly reference?: string;
  readonly record?: string;
  readonly seconds?: number;
  /** The value of ASSAY_REPORTS; they are written to `reportFolder`. */
  readonly reports?: string;
  readonly reportFolder?: string;
  /** The folder for its temporary files. */
  readonly folder?: string;
}

/** Runs examples/pipeline.sh like a step of a pipeline. */
export function pipeline(url: string, settings: PipelineSettings): Run {
  const { credentials, service, shell = 'sh', severity = 'high', event = '', seconds = 110, folder } = settings;
  const { failOn = '', reference = '', record = '' } = settings;
  const { beacon = '', checks = '', incomplete = '', reports = '', reportFolder } = settings;
  const environment = {
    ASSAY_URL: `${service}/`,
    ASSAY_API_KEY: credentials.accessKey,
    ASSAY_API_SECRET: credentials.secret,
    ASSAY_SEVERITY: severity,
    ASSAY_EVENT: event,
    ASSAY_BEACON: beacon,
    ASSAY_CHECKS: checks,
    ASSAY_INCOMPLETE: incomplete,
    ASSAY_FAIL_ON: failOn,
    ASSAY_REFERENCE: reference,
    ASSAY_RECORD: record,
    ASSAY_REPORTS: reports,
    ASSAY_TIMEOUT: String(seconds),
    ASSAY_INTERVAL: '1',
    ...(folder !== undefined && { TMPDIR: folder }),
  };
  return run(shell, [script, url], environment, reportFolder);
}

/** The UUID of the job that a pipeline has launched. */
export const jobOf = ({ output }: Run): string => /job ([0-9a-f-]{36}) tests/.exec(output())?.[1] ?? '';

/** Whether `curl -f` treats the response as a success. */
export async function isSuccessForCurl(path: string, { credentials, service }: PipelineSettings): Promise<boolean> {
  const login = `${credentials.accessKey}:${credentials.secret}`;
  return (await run('curl', ['-sf', '--max-time', '10', '-u', login, `${service}/v1/jobs/${path}`]).exit) === 0;
}
