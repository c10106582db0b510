import {
  cancelRetest,
  requireVerdictByHand,
  isRetestOver,
  RETEST_STATUSES,
  retestResultVocabulary,
  retestStatusVocabulary,
  retestTransitions,
} from './retest-status';

describe('the status of a retest', () => {
  it('has exactly these transitions', () => {
    expect(retestStatusVocabulary.map(({ name, transitions }) => `${name}: ${transitions.join(' ')}`)).toEqual([
      'pending: in_progress finished error canceled',
      'in_progress: finished error canceled',
      'finished: ',
      'error: ',
      'canceled: ',
    ]);
    expect(RETEST_STATUSES.filter(isRetestOver)).toEqual(['finished', 'error', 'canceled']);
    expect(() => retestTransitions.requireAllowed('finished', 'pending')).toThrow('nothing follows it');
  });

  it('can be canceled until the retest has ended, and again when it is canceled', () => {
    expect(cancelRetest('pending')).toBe('canceled');
    expect(cancelRetest('in_progress')).toBe('canceled');
    expect(cancelRetest('canceled')).toBe('unchanged');
    expect(() => cancelRetest('finished')).toThrow(expect.objectContaining({ kind: 'conflict' }));
    expect(() => cancelRetest('error')).toThrow(expect.objectContaining({ kind: 'conflict' }));
  });

  it('allows a verdict by hand only while it is pending', () => {
    expect(() => requireVerdictByHand('pending')).not.toThrow();
    for (const status of RETEST_STATUSES.slice(1)) {
      expect(() => requireVerdictByHand(status)).toThrow(`The retest is ${status};`);
    }
  });
});

describe('the result of a retest', () => {
  it('is one of four values', () => {
    expect(retestResultVocabulary.map(({ name }) => name)).toEqual([
      'fixed',
      'still_vulnerable',
      'inconclusive',
      'blocked',
    ]);
  });
});
