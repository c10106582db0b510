import { OWN_APPLICATIONS, type RealApplication } from '../real/applications';
import { type ApplicationResult, testApplications } from '../real/test-applications';
import { distKey } from '../support/programs';

/** The rate limit is what takes the time. */
const settings = { ENGINE_REQUESTS_PER_SECOND: '1000', ENGINE_PROBE_SPREAD_MS: '10', DNS_SERVERS: '127.0.0.1:1' };

const installed = OWN_APPLICATIONS.filter(({ missing }) => missing === null);
const withoutTruth = installed
  .filter(({ name }) => name === 'Express application')
  .map((application): RealApplication => ({ ...application, name: 'without true findings', truth: [] }));

let results: ApplicationResult[] = [];
beforeAll(async () => {
  results = await testApplications([...installed, ...withoutTruth], process.env[distKey] ?? '', settings);
});

it.each(installed.map(({ name }) => name))('a job on the %s ends with its true findings and no others', (name) => {
  expect(results.find((one) => one.name === name)).toMatchObject({
    status: 'FINISHED',
    error: null,
    wrong: [],
    unseen: [],
    incomplete: [],
  });
});

it('a finding that is not among the true ones is false', () => {
  expect(results.find(({ name }) => name === 'without true findings')?.wrong).toContain('missing-nosniff /');
});
