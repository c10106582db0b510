import { asDomainError } from './database-errors';

const withState = (code: string): Error => Object.assign(new Error('of the database'), { code });

describe('an error of the database', () => {
  it.each(['40P01', '40001'])('is temporary when statements waited for each other (%s), also of a read', (state) => {
    expect(asDomainError(withState(state))).toMatchObject({ kind: 'unavailable', retryAfter: 1 });
  });

  it('is a conflict when another request has changed the record', () => {
    expect(asDomainError(withState('23505'))).toMatchObject({ kind: 'conflict' });
  });

  it('is returned unchanged when its code is unknown', () => {
    const error = withState('42P01');
    expect(asDomainError(error)).toBe(error);
  });
});
