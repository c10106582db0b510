import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withinTime } from './within-time';

it('aborts when the time is over, although garbage is collected before', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const signal = withinTime(new AbortController().signal, 200);
  await delay(20);
  collectGarbage();
  expect(signal.aborted).toBe(false);
  await delay(300);
  expect((signal.reason as Error).name).toBe('TimeoutError');
});

it('aborts with the other signal', () => {
  const other = new AbortController();
  const signal = withinTime(other.signal, 60_000);
  other.abort(new Error('stopped'));
  expect(signal.reason).toEqual(new Error('stopped'));
});
