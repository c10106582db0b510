import { newnessBy, recordedFindings } from './domain/job-reference';
import { untestedPlace } from './job-places';

it('a finding at a place that was not tested is new, unless it has no check and is the same one', () => {
  const row = { id: 4, ownId: 4, title: 'T', severity: 3, isProved: false, assetId: null };
  const place = { checkId: 'exposed-git', builtInCheck: 'exposed-git', location: 'https://a.example:8443/.git/HEAD' };
  const findings = recordedFindings([
    { ...row, ...place, account: null },
    untestedPlace({ ...row, checkId: null, builtInCheck: null, location: null }),
  ]);
  const newnessOf = newnessBy({ state: 'recorded', name: 'main', jobUuid: 'u', findings, fixed: new Set() });
  expect(newnessOf(untestedPlace({ ...row, ...place }))).toBe('not_recorded');
  expect(newnessOf(untestedPlace({ ...row, checkId: null, builtInCheck: null, location: null }))).toBe('known');
});
