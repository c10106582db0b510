import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { lookFirst } from '../../assess';
import type { WebCheck } from '../../check';
import { commandInjection } from '../../checks/command-injection';
import { reflectedInput } from '../../checks/reflected-input';
import { sqlInjection } from '../../checks/sql-injection';
import { describeUnless } from '../../testing/describe-unless';
import { binaryOf, freePort, RealServer } from '../../testing/real-server';
import { takeCanary } from '../canary';
import type { InsertionPoint } from '../../experiment-record';
import { placeOfPoint } from '../insertion-point';
import { session } from '../testing/injectable-shop';

const python = binaryOf('python3');

const segment = (name: string, value: string): InsertionPoint => ({
  request: { path: `/${name}/${value}` },
  kind: 'segment',
  name: '2',
  value,
});
const cookie = (name: string, value: string): InsertionPoint => ({
  request: { path: `/${name}`, headers: [['Cookie', `lang=${value}; theme=dark`]] },
  kind: 'cookie',
  name: 'lang',
  value,
});

describeUnless(
  python === null ? 'Python is not installed' : null,
  'a server that decodes paths early, and no cookie',
  () => {
    let server: RealServer;
    beforeAll(async () => {
      const port = await freePort();
      server = await RealServer.start(
        python ?? '',
        port,
        [join(__dirname, '../testing/undecoded.py'), String(port)],
        (binary, args) => spawn(binary, args, { stdio: 'ignore' }),
      );
    });
    afterAll(() => server.stop());

    const look = (check: WebCheck, point: InsertionPoint, before = {}): ReturnType<typeof lookFirst> => {
      const place = placeOfPoint({ scheme: 'http', host: '127.0.0.1', port: server.port, path: '/' }, point);
      return lookFirst(check, place, session(server.port), { experiment: { ...before, point } });
    };
    const seen = async (check: WebCheck, point: InsertionPoint, before = {}): Promise<string> => {
      const { observation } = await look(check, point, before);
      return `${observation.state}: ${observation.detail}`;
    };

    it.each<[string, WebCheck, InsertionPoint, string]>([
      ['a number of SQL in a segment', sqlInjection, segment('number', '1'), 'SQLite evaluates'],
      ['a text of SQL in a segment', sqlInjection, segment('text', 'red'), 'SQLite evaluates'],
      ['markup in a segment', reflectedInput, segment('hello', 'red'), 'A browser reads'],
      ['a number of SQL in a cookie', sqlInjection, cookie('number', '1'), 'SQLite evaluates'],
      ['a text of SQL in a cookie', sqlInjection, cookie('text', 'red'), 'SQLite evaluates'],
      ['a command in a cookie', commandInjection, cookie('prefix', 'red'), 'A shell computes'],
      ['a command without output in a cookie', commandInjection, cookie('silent', 'red'), 'A shell waits'],
    ])(
      'finds %s',
      async (_what, check, point, detail) => {
        expect(await seen(check, point)).toContain(`vulnerable: ${detail}`);
      },
      90_000,
    );

    const canaryAt = (point: InsertionPoint) => {
      const place = placeOfPoint({ scheme: 'http', host: '127.0.0.1', port: server.port, path: '/' }, point);
      return takeCanary(point, place, session(server.port));
    };

    it.each<[string, boolean]>([
      ['hello', true],
      ['quoted', true],
      ['decoded', false],
    ])('sees in the answer of %s whether anything is decoded in a cookie', async (name, isRaw) => {
      expect((await canaryAt(cookie(name, 'red'))).isRaw).toBe(isRaw);
    });

    it('finds a text of SQL in double quotes in a cookie, whose quotes are sent as they are', async () => {
      const point = cookie('quoted', 'red');
      const { isRaw } = await canaryAt(point);
      expect(await seen(sqlInjection, { ...point, isRaw })).toContain('vulnerable: SQLite evaluates');
      expect(await seen(sqlInjection, point)).toMatch(/^not_vulnerable/);
      expect(await seen(sqlInjection, { ...cookie('quoted-fixed', 'red'), isRaw })).toMatch(/^not_vulnerable/);
    }, 90_000);

    it.each<[string, WebCheck, InsertionPoint]>([
      ['a number in a segment', sqlInjection, segment('number-fixed', '1')],
      ['a text in a segment', sqlInjection, segment('text-fixed', 'red')],
      ['escaped markup in a segment', reflectedInput, segment('hello-fixed', 'red')],
      ['a text in a cookie', sqlInjection, cookie('text-fixed', 'red')],
      ['a word of a command in a cookie', commandInjection, cookie('prefix-fixed', 'red')],
    ])('finds nothing in %s', async (_what, check, point) => {
      expect(await seen(check, point)).toMatch(/^not_vulnerable/);
    });
  },
);
