import type { Scan } from '../../../engine';
import { parseTarget } from '../../../engine/target';
import { SecretValues } from '../../../engine/transport/secret-values';
import type { ActiveInventoryRepository } from '../data/active-inventory.repository';
import type { JobFindingsRepository } from '../data/job-findings.repository';
import type { JobSubmissionsRepository } from '../data/job-submissions.repository';
import type { Job } from '../data/job.entity';
import { ActiveTest } from './active-test';
import type { JobAddresses } from './job-addresses';

const interrupted: Scan = {
  end: 'interrupted',
  reason: 'the window has closed',
  started: '2026-01-02T00:00:00.000Z',
  finished: '2026-01-02T00:01:00.000Z',
  sightings: [],
  coverage: [],
  look: null,
};

it('begins no active part after the window has closed in the standard part', async () => {
  const listPages = jest.fn().mockResolvedValue([]);
  const inventory = {
    listPages,
    findSeedsOfVisible: async () => [],
    findActiveOfVisible: async () => null,
    listResults: async () => [],
    countOutcomes: async () => [],
    progressOf: async () => ({ pages: 3, shapes: 3, points: 2, tested: 1 }),
  } as unknown as ActiveInventoryRepository;
  const findings = { listImportedPlacesOfVisible: async () => [] } as unknown as JobFindingsRepository;
  const test = new ActiveTest(inventory, findings, {} as JobAddresses, {} as JobSubmissionsRepository);
  const request = {
    target: parseTarget('https://a.example/'),
    checks: [],
    found: () => undefined,
    writeRefusal: () => 'off',
  };

  const { scan, active } = await test.run(
    { id: 1, organizationId: 1, beaconId: null } as Job,
    interrupted,
    request as unknown as Parameters<ActiveTest['run']>[2],
    null,
    null,
  );

  expect(listPages).not.toHaveBeenCalled();
  expect([scan.end, scan.reason]).toEqual(['interrupted', 'the window has closed']);
  expect(active.found).toEqual({ pages: 3, shapes: 3, points: 2, tested: 1 });
});

it('lists where it has written without the secrets of the session', async () => {
  const keep = jest.fn().mockResolvedValue(true);
  const listed = { keep, listAllOfVisible: async () => [] } as unknown as JobSubmissionsRepository;
  const test = new ActiveTest({} as ActiveInventoryRepository, {} as JobFindingsRepository, {} as JobAddresses, listed);
  const request = {
    target: parseTarget('https://a.example/'),
    writeRefusal: () => null,
    via: { session: { secrets: new SecretValues(['a-secret-of-the-session']) } },
  };
  const submissions = await test['submissionsOf'](
    { id: 1, organizationId: 1 } as Job,
    request as unknown as Parameters<ActiveTest['run']>[2],
  );
  const post = { scheme: 'https', host: 'a.example', port: 443, method: 'POST', path: '/notes' } as const;
  await submissions?.shows(post, ['/thanks?key=a-secret-of-the-session']);
  await submissions?.cleanedUp(post, '/notes/a-secret-of-the-session', false);
  expect(keep).toHaveBeenCalledTimes(2);
  expect(JSON.stringify(keep.mock.calls)).not.toContain('a-secret-of-the-session');
});
