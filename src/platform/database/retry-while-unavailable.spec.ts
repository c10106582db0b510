import { conflict } from '../../kernel/domain-error';
import { databaseUnavailable } from './database-errors';
import { retryWhileUnavailable } from './retry-while-unavailable';

const within = (milliseconds: number): number => performance.now() + milliseconds;

it('retries until the database is available', async () => {
  const answers = [
    Promise.reject(databaseUnavailable()),
    Promise.reject(databaseUnavailable()),
    Promise.resolve('back'),
  ];
  for (const answer of answers) answer.catch(() => undefined);
  expect(await retryWhileUnavailable(async () => answers.shift(), within(5_000))).toBe('back');
});

it('fails when the deadline has passed, and at once for other errors', async () => {
  let calls = 0;
  await expect(retryWhileUnavailable(() => Promise.reject(databaseUnavailable()), within(0))).rejects.toThrow(
    'temporarily unavailable',
  );
  const fail = (): Promise<never> => {
    calls++;
    return Promise.reject(conflict('no'));
  };
  await expect(retryWhileUnavailable(fail, within(5_000))).rejects.toThrow('no');
  expect(calls).toBe(1);
});

it('fails at the deadline if the database hangs', async () => {
  await expect(retryWhileUnavailable(() => new Promise(() => undefined), within(20))).rejects.toThrow(
    'temporarily unavailable',
  );
});
