import { NO_TIME, WINDOW_CLOSED } from '../../jobs/domain/job-kind';

import { checksToContinue } from './checks-to-continue';

const left = (reason: string, ...checks: string[]) => checks.map((check) => ({ check, reason }));

describe('the checks that the next job of a target runs', () => {
  it('are none when the job ran all of them', () => {
    expect(checksToContinue(left('It is there.', 'one', 'two'), null)).toBeNull();
  });

  it('are those that a window has stopped, once each', () => {
    expect(checksToContinue(left(WINDOW_CLOSED, 'one', 'one', 'two'), ['one', 'two'])).toEqual(['one', 'two']);
  });

  it('are those that there was no time for, as long as each job leaves fewer', () => {
    const slow = left(NO_TIME, 'one', 'two');
    expect(checksToContinue(slow, null)).toEqual(['one', 'two']);
    expect(checksToContinue(slow, ['one', 'two', 'three'])).toEqual(['one', 'two']);
    expect(checksToContinue(slow, ['one', 'two'])).toBeNull();
  });
});
