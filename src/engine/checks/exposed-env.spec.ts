import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedEnv, statementsOf } from './exposed-env';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'text/plain' }, body } },
});

const ENV = '# Production\nAPP_NAME=Shop\nAPP_KEY=base64:AAAA\n\nDB_PASSWORD="hush hush"\nMAIL_FROM=shop@target.test\n';

truthTable(exposedEnv, {
  scheme: 'http',
  vulnerable: at('/.env', ENV),
  fixed: {},
  alsoVulnerable: {
    'it is the one of production': at('/.env.production', 'export DATABASE_URL=postgres://u:p@db/shop\r\nPORT=80\r\n'),
    'only a password with another name is left': at('/.env', 'APP_NAME=Shop\nDB_PWD=hush\nstripe_sk=sk_live_1\n'),
    'a copy was made before a change': at('/.env.bak', ENV),
    'an editor was open': at('/.env.swp', 'b0VIM 9.0\0root'),
    'a value has several lines': at('/.env.local', 'JWT_SECRET="-----BEGIN\nabc\n"\nPORT=80\nHOST=::\n'),
    'a key has many lines': at(
      '/.env',
      `APP_NAME=Shop\nAPP_KEY=x\nJWT_KEY="-----BEGIN KEY-----\n${'MIIEow+/\n'.repeat(30)}-----END KEY-----"\nPORT=80\n`,
    ),
    'long comments come first': at('/.env', `${`# ${'x'.repeat(48)}\n`.repeat(2_000)}${ENV}`),
  },
  softErrors: lookalikeSites(ENV),
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/.env': { status: 403, body: 'Forbidden' } } },
  },
  lookalikes: {
    'it holds no secret': at(
      '/.env',
      'APP_NAME=Shop\nAPP_KEY=\nDB_PASSWORD=null\nVITE_API_URL=https://target.test/api\n',
    ),
    'it is a text about secrets': at(
      '/.env',
      `Set these:\n\n${ENV}\nThe key\nis made\nby the\ninstaller.\nKeep it.\nSee below.\n`,
    ),
    'it is a text with a quote that opens and never closes': at(
      '/.env',
      `Notes:\nPASSWORD="is what\n${'people ask for\n'.repeat(9)}`,
    ),
    'it is a query': at('/.env', 'error=not_found&TOKEN=abc'),
  },
});

it.each([
  ['that close each other', Array<string>(20_000).fill('A="')],
  ['that never close', [...Array<string>(10_000).fill("A='x"), 'A="', "A='", ...Array<string>(10_000).fill('B=1')]],
])('reads the lines of values in quotes %s a few times only', (_which, lines) => {
  let reads = 0;
  statementsOf(
    new Proxy(lines, {
      get(all, key) {
        reads += 1;
        return Reflect.get(all, key) as unknown;
      },
    }),
  );
  expect(reads).toBeLessThan(10 * lines.length);
});
