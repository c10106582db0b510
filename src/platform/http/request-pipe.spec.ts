import { parse } from 'node:querystring';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SingleLineText } from './fields';
import { RequestPipe } from './request-pipe';

class Query {
  @SingleLineText(200, { optional: true })
  q?: string;
}

it('keeps queries that clients repeat, but not the URLs that they are parts of', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const pipe = new RequestPipe();
  const read = (url: string) => pipe.transform(parse(url), { type: 'query', metatype: Query });
  expect(await read('q=a+text')).toBe(await read('q=a+text'));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 100; number++)
    await read(Buffer.from(`q=a-text-of-a-person-${number}${'&'.repeat(200_000)}`).toString());
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / 1_000_000).toBeLessThan(5);
});
