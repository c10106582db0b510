import { cancelJob, isJobOver, JOB_STATUSES, jobStatusVocabulary } from './job-status';

describe('the status of a job', () => {
  it('has exactly these transitions', () => {
    expect(jobStatusVocabulary.map(({ name, transitions }) => `${name}: ${transitions.join(' ')}`)).toEqual([
      'PENDING: IN_PROGRESS ERROR CANCELED',
      'IN_PROGRESS: FINISHED ERROR CANCELED',
      'FINISHED: ',
      'ERROR: ',
      'CANCELED: ',
    ]);
    expect(JOB_STATUSES.filter(isJobOver)).toEqual(['FINISHED', 'ERROR', 'CANCELED']);
  });

  it('can be canceled until the job has ended, and again when it is canceled', () => {
    expect(cancelJob('PENDING')).toBe('canceled');
    expect(cancelJob('IN_PROGRESS')).toBe('canceled');
    expect(cancelJob('CANCELED')).toBe('unchanged');
    expect(() => cancelJob('FINISHED')).toThrow('The job is FINISHED and cannot become CANCELED; nothing follows it.');
    expect(() => cancelJob('ERROR')).toThrow(expect.objectContaining({ kind: 'conflict' }));
  });
});
