import { createHash } from 'node:crypto';
import { longestTurnDuring } from '../../../test/support/longest-turn';
import { JobReportRendering } from './job-report-rendering';
import { JOB_REPORT_RENDERERS } from './rendering/job-report-renderers';
import { finding, snapshotOf } from './rendering/testing/snapshot-of';

const rendering = new JobReportRendering();
afterAll(() => rendering.onApplicationShutdown());

const md = 'a*b_c `d` "quoted" \n'.repeat(180);
const findings = Array.from({ length: 1_000 }, (_, id) => ({ ...finding(id, { title: `Weakness ${id}` }), md }));
const snapshot = snapshotOf({ findings });

describe('the report of a job', () => {
  it.each(['json', 'sarif', 'gitlab', 'junit', 'csv'] as const)('is what its renderer gives: %s', async (format) => {
    const { content, sha256 } = await rendering.render({ format, snapshot }, 'a tenant');
    expect(content.equals(await JOB_REPORT_RENDERERS[format].render(snapshot))).toBe(true);
    expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
  });

  it('is rendered outside the event loop', async () => {
    const order = { format: 'csv', snapshot } as const;
    await rendering.render(order, 'a tenant');
    const beside = await longestTurnDuring(() => rendering.render(order, 'a tenant'));
    expect(beside).toBeLessThan((await longestTurnDuring(() => JOB_REPORT_RENDERERS.csv.render(snapshot))) / 2);
  });
});
