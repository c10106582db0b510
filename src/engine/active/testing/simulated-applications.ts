import type { SeededRandom } from '../../testing/seeded-random';
import type { Reply } from '../../testing/target-server';
import { type Application, pageWith } from './simulated-point';
import { readPath, readResource, VERSION_TEXT } from './virtual-files';

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const products = (text: string): string =>
  text.replaceAll(/(\d+)\*(\d+)/g, (_all, one: string, other: string) => String(Number(one) * Number(other)));
const inExpressions = (text: string, open: string, close: string): string =>
  text
    .split(open)
    .map((piece, at) => {
      const [expression = '', ...rest] = piece.split(close);
      return at === 0 || rest.length === 0 ? piece : `${products(expression)}${rest.join(close)}`;
    })
    .join('');

const MISSING: Reply = { status: 404, body: '<p>Not found</p>' };
const to = (location: string): Reply => ({ status: 302, headers: { location } });

/** Responses that do not depend on the request, including everything that an oracle looks for. */
export function answersAtRandom(random: SeededRandom): Application {
  const word = (): string => Array.from({ length: 9 }, () => 'bcdfghjklmnpqrstvwxz'[random.below(20)]).join('');
  const answers: readonly ((value: string) => Reply)[] = [
    () => pageWith(VERSION_TEXT),
    () => pageWith(readResource('/META-INF/MANIFEST.MF') ?? ''),
    () => pageWith(`<p>{\\rtf1\\ansi ${word()}}</p>`),
    () => pageWith(`<${word()} ${word()}=1></p><script>var a = (${word()}) - ${word()}</script>`),
    () => pageWith(`${word()}${random.below(1e9)}${word()}`),
    () => to(`https://${word()}.example/`),
    () => ({ headers: { [`x-${word()}`]: word() }, body: word() }),
    (value) => pageWith(escaped(value)),
    (value) => pageWith(escaped(value).replaceAll(/\W/g, '')),
    (value) => ({ ...to(`/${encodeURIComponent(value)}`) }),
    () => ({ status: 500, body: 'Error' }),
    () => ({ status: 429, body: 'Too many requests' }),
    () => ({ status: 403, body: 'Blocked' }),
    () => MISSING,
    () => pageWith(''),
  ];
  // Some only draw from two responses, so these often alternate as an oracle expects.
  const [one = random.pick(answers), other = random.pick(answers)] = random.shuffled(answers);
  const drawn = random.below(2) === 0 ? [one, other] : answers;
  return (value) => random.pick(drawn)(value);
}

/** Applications without a weakness. */
export const SOUND: readonly ((random: SeededRandom) => Application)[] = [
  () => (value) => pageWith(`<p>${escaped(value)}</p>`),
  () => (value) => pageWith(`<input value="${value.replaceAll('"', '&quot;')}">`),
  () => (value) => pageWith(`<script>var a = ${JSON.stringify(value).replaceAll('</', '<\\/')}</script>`),
  () => (value) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ value }) }),
  () => (value) => ({ headers: { 'content-type': 'text/plain' }, body: value }),
  () => (value) => pageWith(escaped(products(value))),
  () => (value) => (value === 'red' ? pageWith('Red') : MISSING),
  () => (value) => (/^\w+$/.test(value) ? pageWith(value) : { status: 400, body: 'This is no word' }),
  () => (value) => (/\W/.test(value) ? { status: 403, body: 'Blocked' } : pageWith(value)),
  () => (value) => (/\W/.test(value) ? { status: 500, body: 'Error' } : pageWith(value)),
  () => () => pageWith(VERSION_TEXT),
  () => (_value, path) => to(`https://www.target.test${path}`),
  () => (value) => to(`/found/${encodeURIComponent(value)}`),
  () => (value) => to(/^\/\w/.test(value) ? value : '/'),
  () => (value) => ({ headers: { 'set-cookie': `q=${encodeURIComponent(value)}` }, body: '<p>Kept</p>' }),
  (random) => () => pageWith(`${random.next()} ${random.below(1e9)}`),
  (random) => (value) => pageWith(`${escaped(value)} ${random.below(1e9)}`),
  (random) => (value) => (random.below(10) === 0 ? { status: 503, body: 'Busy' } : pageWith(escaped(value))),
  () => {
    const stored = new Map<string, Reply>();
    return (value) => {
      const key = value.slice(0, 1);
      const answer = stored.get(key) ?? pageWith(escaped(value));
      stored.set(key, answer);
      return answer;
    };
  },
];

export type Weakness = 'reflectedXss' | 'pathTraversal' | 'templateInjection' | 'headerInjection' | 'redirectElsewhere';

/** Applications with one weakness. Some of them fail occasionally or change with each request. */
export const PLANTED: Readonly<Record<Weakness, readonly Application[]>> = {
  reflectedXss: [
    (value) => pageWith(`<p>${value}</p>`),
    (value) => pageWith(`<input value="${value.replaceAll(/[<>]/g, '')}">`),
    (value) => pageWith(`<!-- ${value} -->`),
    (value) => pageWith(`<script>var a = '${value.replaceAll('<', '')}'</script>`),
    (value) => ({ ...pageWith(`<textarea>${value}</textarea>`), status: 404 }),
  ],
  pathTraversal: [
    (value) => pageWith(readPath(value) ?? ''),
    (value) => {
      const content = readPath(value.replaceAll('../', ''));
      return content === null ? MISSING : pageWith(content);
    },
    (value) => pageWith(value.includes('..') ? '' : (readPath(value) ?? '')),
    (value) => pageWith(readResource(`/pages/${value}`) ?? ''),
  ],
  templateInjection: [
    (value) => pageWith(escaped(inExpressions(value, '{{', '}}'))),
    (value) => pageWith(escaped(inExpressions(value, '${', '}'))),
    (value) => pageWith(escaped(inExpressions(value, '<%=', '%>'))),
  ],
  headerInjection: [
    (value) => {
      const [first = '', second] = value.split('\r\n');
      const [name = '', text = ''] = second?.split(': ') ?? ['x-none', '1'];
      return { status: 302, headers: { location: `/found/${encodeURIComponent(first)}`, [name]: text } };
    },
  ],
  redirectElsewhere: [(value) => to(value), (value) => to(value.startsWith('/') ? value : '/')],
};
