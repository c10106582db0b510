import { generateKeyPairSync } from 'node:crypto';
import type { Caller } from '../../platform/api/caller';
import { JobAttestations } from './job-attestations.service';

const { privateKey } = generateKeyPairSync('ed25519');
const caller = { scope: {} } as Caller;
const until = new Date('2026-02-28T00:00:00.000Z');
const accepted = [{ checkId: 'exposed-env', assetValue: 'a.example', acceptedFor: 'shop', until, reason: 'x' }];

function attestationsOf(outcomes: readonly string[]) {
  const job = { uuid: 'u', url: 'https://a.example/', depth: 'standard', checks: null, status: 'FINISHED' };
  const coverage = outcomes.map((outcome, at) => ({ check: `check-${at}`, location: job.url, outcome }));
  const jobs = {
    get: () => Promise.resolve({ ...job, started: null, finished: null }),
    success: () => Promise.resolve({ success: true, description: '', accepted }),
  };
  return new JobAttestations(
    jobs as never,
    { coverageOf: () => Promise.resolve(coverage) } as never,
    { current: () => Promise.resolve({ id: 'k', privateKey }) } as never,
    { now: () => new Date('2026-01-31T00:00:00.000Z') },
  );
}

const order = (gate: object | undefined) => ({ gate, stated: null });

it('signs nothing when no test ran', async () => {
  for (const outcomes of [[], ['not_applicable']])
    for (const gate of [undefined, {}])
      await expect(attestationsOf(outcomes).attest(caller, 'u', order(gate))).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('No test of the job applied'),
      });
  await expect(attestationsOf(['not_vulnerable']).attest(caller, 'u', order(undefined))).resolves.toBeDefined();
});

it('states what admins have accepted where a gate has passed', async () => {
  const { payload } = await attestationsOf(['not_vulnerable']).attest(caller, 'u', order({}));
  expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toMatchObject({
    predicate: {
      accepted: [{ check: 'exposed-env', asset: 'a.example', label: 'shop', until: '2026-02-28T00:00:00.000Z' }],
    },
  });
});
