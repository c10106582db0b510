import { conflict } from '../../kernel/domain-error';
import { databaseUnavailable } from './database-errors';
import { retryWhileUnavailable } from './retry-while-unavailable';

const within = (milliseconds: number): number => performance.now() + milliseconds;

it('asks again until the database is back', async () => {
  const answers = [
    Promise.reject(databaseUnavailable()),
    Promise.reject(databaseUnavailable()),
    Promise.resolve('back'),
  ];
  for (const answer of answers) answer.catch(() => undefined);
  expect(await retryWhileUnavailable(async () => answers.shift(), within(5_000))).toBe('back');
});

it('gives up when the time is over, and at once where asking again is of no use', async () => {
  let asked = 0;
  await expect(retryWhileUnavailable(() => Promise.reject(databaseUnavailable()), within(0))).rejects.toThrow(
    'temporarily unavailable',
  );
  const refuse = (): Promise<never> => {
    asked++;
    return Promise.reject(conflict('no'));
  };
  await expect(retryWhileUnavailable(refuse, within(5_000))).rejects.toThrow('no');
  expect(asked).toBe(1);
});

it('does not wait longer for a database that hangs', async () => {
  await expect(retryWhileUnavailable(() => new Promise(() => undefined), within(20))).rejects.toThrow(
    'temporarily unavailable',
  );
});
