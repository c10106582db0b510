import { z } from 'zod';
import { dataOf } from '../../sdk/src';
import { number, rowOf, text, texts } from './records';
import { cursor, pageOf, type Reader, readingTool } from './tool';

const LISTED = {
  uuid: text,
  url: text,
  status: text,
  depth: text,
  checks: texts,
  created: text,
  finished: text,
};
/** The scan itself, then each finding and each check that stops a pipeline. */
export const SCAN = {
  ...LISTED,
  error: text,
  gate: text,
  explanation: text,
  finding_id: number,
  title: text,
  severity: text,
  belief: text,
  check: text,
  place: text,
  result: text,
  reason: text,
  next_step: text,
};

export const uuid = z.uuid();

/** The state of a scan, and what stops a pipeline with this lowest severity. */
export async function readScan(client: Reader, scan: string, signal: AbortSignal) {
  const path = { uuid: scan };
  const { job } = await dataOf(client.GET('/v1/jobs/{uuid}', { params: { path }, signal }));
  const gate = await dataOf(client.GET('/v1/jobs/{uuid}/success', { params: { path }, signal }));
  const passed = gate.success === null ? 'unfinished' : gate.success ? 'passed' : 'failed';
  const records = [
    { ...job, gate: passed, explanation: gate.description },
    ...gate.failing_findings.map(({ id, proved, ...finding }) => ({
      ...finding,
      url: undefined,
      finding_id: id,
      belief: proved ? 'proved' : 'not proved',
    })),
    ...gate.incomplete_checks.map(({ id, ...check }) => ({ ...check, check: id })),
  ];
  return {
    heading: `The scan is ${job.status}, and its gate is ${passed}.`,
    records: records.map((row) => rowOf(SCAN, row)),
  };
}

export const scanTools = [
  readingTool({
    name: 'list_scans',
    title: 'List scans',
    description: 'Lists the scans (jobs) that the key may read, the newest first.',
    input: { cursor },
    record: LISTED,
    async run(_input, { client, from, signal }) {
      const query = { per_page: 50, after: from.after };
      const { data, after } = await pageOf(client.GET('/v1/jobs', { params: { query }, signal }));
      const records = data.jobs.map((job) => rowOf(LISTED, job));
      return { heading: `${records.length} scans on this page.`, records, after, next: 'get_scan' };
    },
  }),
  readingTool({
    name: 'get_scan',
    title: 'Read a scan',
    description: 'Reads the state of a scan, its gate, and the findings and incomplete checks that stop a pipeline.',
    input: { uuid, cursor },
    record: SCAN,
    run: async ({ uuid: scan }, { client, signal }) => ({
      ...(await readScan(client, scan, signal)),
      next: 'get_finding',
    }),
  }),
];
