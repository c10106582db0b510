import { NO_TIME, WINDOW_CLOSED } from '../../jobs/domain/job-kind';

import { checksToContinue } from './checks-to-continue';

const left = (reason: string, ...checks: string[]) => checks.map((check) => ({ check, reason }));

describe('the checks that the next job of a target runs', () => {
  it('are none when the job ran all of them', () => {
    expect(checksToContinue(left('It is there.', 'one', 'two'), null)).toEqual({ checks: [], isStuck: false });
  });

  it('are those that a window has stopped, once each', () => {
    expect(checksToContinue(left(WINDOW_CLOSED, 'one', 'one', 'two'), ['one', 'two'])).toEqual({
      checks: ['one', 'two'],
      isStuck: false,
    });
  });

  it('are also those that have left points, if others could not run', () => {
    const checks = ['one', 'two'];
    expect(checksToContinue(left(NO_TIME, 'one'), null, ['two'])).toEqual({ checks, isStuck: false });
    expect(checksToContinue(left(NO_TIME, 'one'), checks, ['two'])).toEqual({ checks, isStuck: true });
    expect(checksToContinue([], null, ['two'])).toEqual({ checks: [], isStuck: false });
  });

  it('are those that there was no time for, as long as each job leaves fewer', () => {
    const slow = left(NO_TIME, 'one', 'two');
    const checks = ['one', 'two'];
    expect(checksToContinue(slow, null)).toEqual({ checks, isStuck: false });
    expect(checksToContinue(slow, ['one', 'two', 'three'])).toEqual({ checks, isStuck: false });
    expect(checksToContinue(slow, checks)).toEqual({ checks, isStuck: true });
  });
});
