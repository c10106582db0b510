import { DomainError, conflict } from '../../kernel/domain-error';
import { patiently } from './patiently';

const away = () => new DomainError('unavailable', 'The database cannot be reached at the moment.');

it('asks again until the database is back', async () => {
  const answers = [Promise.reject(away()), Promise.reject(away()), Promise.resolve('back')];
  for (const answer of answers) answer.catch(() => undefined);
  expect(await patiently(async () => answers.shift(), 5_000)).toBe('back');
});

it('gives up when the time is over, and at once where asking again is of no use', async () => {
  let asked = 0;
  await expect(patiently(() => Promise.reject(away()), 0)).rejects.toThrow('cannot be reached');
  const refuse = (): Promise<never> => {
    asked++;
    return Promise.reject(conflict('no'));
  };
  await expect(patiently(refuse)).rejects.toThrow('no');
  expect(asked).toBe(1);
});
