import type { Coverage } from '../../../engine';
import { JobProgressLog } from './job-progress';

const covered = (check: string, outcome: Coverage['outcome'], reason = ''): Coverage => ({
  check,
  location: 'https://example.com/',
  outcome,
  reason,
  controlFailure: null,
  verdict: null,
});

describe('the progress of a job', () => {
  it('has each planned check with its last state, and the reason of those that need attention', () => {
    const log = new JobProgressLog();
    log.planned(['one', 'two', 'three', 'four']);
    log.started('one');
    log.started('two');
    log.covered(covered('one', 'vulnerable', 'it is there'));
    log.covered(covered('two', 'not_vulnerable', 'it is not there'));
    log.covered(covered('two', 'inconclusive', 'the target stopped responding'));
    log.started('three');
    expect(log.progress.checks).toEqual([
      { check: 'one', state: 'vulnerable', reason: 'it is there' },
      { check: 'two', state: 'inconclusive', reason: 'the target stopped responding' },
      { check: 'three', state: 'running', reason: null },
      { check: 'four', state: 'planned', reason: null },
    ]);
  });

  it('keeps the outcome that matters most of a check that tests several places', () => {
    const log = new JobProgressLog();
    log.planned(['one', 'one']);
    log.started('one');
    log.covered(covered('one', 'vulnerable', 'it is there'));
    log.started('one');
    log.covered(covered('one', 'not_vulnerable', 'it is not there'));
    expect(log.progress.checks).toEqual([{ check: 'one', state: 'vulnerable', reason: 'it is there' }]);
  });

  it('leaves out checks that were never planned, and bounds the reasons', () => {
    const log = new JobProgressLog();
    log.planned(['one']);
    log.covered(covered('dns', 'not_applicable', 'an address has no zone'));
    log.covered(covered('one', 'inconclusive', 'x'.repeat(10_000)));
    expect(log.progress.checks.map(({ check, reason }) => [check, reason?.length])).toEqual([['one', 200]]);
  });
});
