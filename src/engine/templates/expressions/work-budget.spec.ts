import { turnsDuring } from '../../testing/turns';
import { ResponseSearch } from '../response-search';
import { evaluate } from './evaluate';
import { parseExpression } from './parse-expression';
import { TextTemplate } from './text-template';
import { ExpressionLimitExceeded, type Value } from './value';
import { WorkBudget } from './work-budget';

const LONG = 'Abcdefgh1 '.repeat(9_000);

const environmentOf = (names: Readonly<Record<string, Value>>, work = new WorkBudget()) => ({
  lookup: (name: string) => names[name],
  search: new ResponseSearch(new Map()),
  work,
  randomBelow: () => 0,
  now: new Date(),
});

const joined = (part: string, times: number): string => Array(times).fill(part).join(' || ');

describe('the work of expressions', () => {
  it.each(['reverse(t) == "1"', 'gzip(t) == "1"', 'sha512(t) == "1"', 'base64(t) == "1"', 'url_encode(t) == "1"'])(
    'gives other work its turns between %s, and ends when it has taken too long',
    async (part) => {
      const environment = environmentOf({ t: LONG.slice(0, 30_000) });
      const of = (times: number): Promise<Value> => evaluate(parseExpression(joined(part, times)), environment);
      const turns = await turnsDuring(() => of(10));
      expect(turns).toBeGreaterThan(1);
      const again = async (): Promise<void> => {
        for (let time = 0; time < 30; time += 1) await of(100);
      };
      await expect(again()).rejects.toThrow('the expressions of this check take too long with texts of this length');
    },
  );

  it('refuses a text that one function alone would take too long for', async () => {
    const environment = environmentOf({ t: LONG.repeat(9) });
    for (const name of ['reverse', 'trim_left', 'gzip', 'to_title']) {
      const call = parseExpression(name === 'trim_left' ? 'trim_left(t, "a")' : `${name}(t)`);
      await expect(evaluate(call, environment)).rejects.toThrow(ExpressionLimitExceeded);
    }
  });

  it('counts each step, and each text that is put together', async () => {
    const environment = environmentOf({ t: LONG });
    const short = parseExpression(joined('1 == 2', 400));
    const turnsOfShort = await turnsDuring(async () => {
      for (let time = 0; time < 50; time += 1) await evaluate(short, environment);
    });
    expect(turnsOfShort).toBeGreaterThan(8);
    const text = TextTemplate.parse('{{t}}{{t}}');
    const turns = await turnsDuring(async () => {
      for (let time = 0; time < 100; time += 1) await text.fill(environment);
    });
    expect(turns).toBeGreaterThan(8);
  });

  it('is no value that is missing: what takes too long is not sent as it is written', async () => {
    const text = TextTemplate.parse('{{reverse(t)}}');
    await expect(text.fill(environmentOf({ t: LONG.repeat(9) }), true)).rejects.toThrow(ExpressionLimitExceeded);
  });

  it('lets an ordinary check read a page of a megabyte', async () => {
    const environment = environmentOf({ body: LONG.repeat(10) });
    const ordinary =
      'len(body) > 1 && contains(to_lower(body), "abc") && regex("h1", body) && len(md5(body)) == 32 && starts_with(body, "A")';
    for (let time = 0; time < 5; time += 1) expect(await evaluate(parseExpression(ordinary), environment)).toBe(true);
  });

  it('writes no document of JSON that is mostly indentation', async () => {
    const environment = environmentOf({ t: `${'['.repeat(1_500)}${'1,'.repeat(10_000)}1${']'.repeat(1_500)}` });
    await expect(evaluate(parseExpression('json_prettify(t)'), environment)).rejects.toThrow(ExpressionLimitExceeded);
  });

  it('compares no version with a constraint as long as a page', async () => {
    const environment = environmentOf({ v: `1.0${' '.repeat(5_000)}`, c: '>0,'.repeat(2_000) });
    for (const call of ['compare_versions(v, ">0")', 'compare_versions("1", c)'])
      await expect(evaluate(parseExpression(call), environment)).rejects.toThrow(ExpressionLimitExceeded);
  });
});
