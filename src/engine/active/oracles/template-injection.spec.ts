import { type Application, observeApplication, pageWith } from '../testing/simulated-point';
import { templateInjection } from './template-injection';

const escapedPattern = (text: string): string => text.replaceAll(/\W/g, '\\$&');

/** An engine that computes the expression between its delimiters. */
const engine =
  (open: string, close: string, compute: (expression: string) => string): Application =>
  (value) => {
    const pattern = new RegExp(`${escapedPattern(open)}(.+?)${escapedPattern(close)}`, 'g');
    return pageWith(
      `<p>Hello ${value.replaceAll(pattern, (_all, expression: string) => compute(expression.trim()))}</p>`,
    );
  };

const [PRODUCT, REPEATED] = [/^(\d+)\*(\d+)$/, /^(?:(\d)\*'(\d+)'|'(\d+)'\*(\d))$/];
const product = (expression: string): string | null => {
  const [, one, other] = PRODUCT.exec(expression) ?? [];
  return one === undefined ? null : String(Number(one) * Number(other));
};
const script = (expression: string): string => product(expression.replaceAll("'", '')) ?? '';
const python = (expression: string): string => {
  const [, times, text] = REPEATED.exec(expression) ?? [];
  return product(expression) ?? (text ?? '').repeat(Number(times ?? 0));
};
const ruby = (expression: string): string => {
  const [, , , text, times] = REPEATED.exec(expression) ?? [];
  return product(expression) ?? (text ?? '').repeat(Number(times ?? 0));
};
const jinja = (expression: string): string => {
  const [first = '', second = ''] = expression.split('~', 2);
  return `${python(first)}${second}`;
};
const twig = (expression: string): string => {
  const [, one, other] = /^(\d+) b-xor (\d+)$/.exec(expression) ?? [];
  return one === undefined ? script(expression) : String(Number(one) ^ Number(other));
};
const withSum = (expression: string): string => {
  const [, one, other] = /^(\d+)\+(\d+)$/.exec(expression) ?? [];
  return one === undefined ? (product(expression) ?? '') : String(Number(one) + Number(other));
};
const velocity: Application = (value) =>
  pageWith(value.replace(/#set\(\$x=(.+?)\)\$\{x\}/, (_all, expression: string) => withSum(expression)));
const grouped = (expression: string): string => Number(product(expression) ?? 0).toLocaleString('en-US');

const VULNERABLE: readonly (readonly [string, Application, string])[] = [
  ['Jinja2', engine('{{', '}}', jinja), 'by Jinja2'],
  ['Twig', engine('{{', '}}', twig), 'by Twig'],
  ['Tornado', engine('{{', '}}', python), 'such as Tornado'],
  ['Nunjucks', engine('{{', '}}', script), 'such as Nunjucks'],
  ['Mako', engine('${', '}', python), 'such as Mako'],
  ['FreeMarker, which groups digits', engine('${', '}', grouped), 'as a template, because inside'],
  ['ERB', engine('<%=', '%>', ruby), 'by ERB'],
  ['EJS', engine('<%=', '%>', script), 'by EJS'],
  ['Pug', engine('#{', '}', script), 'by Pug'],
  ['Smarty', engine('{', '}', withSum), 'such as Smarty'],
  ['Razor', engine('@(', ')', script), 'as a template, because inside'],
  ['Velocity', velocity, 'by Velocity'],
  ['Thymeleaf', engine('[[${', '}]]', script), 'as a template, because inside'],
];

const computing = (text: string): string =>
  text.replaceAll(/(\d+)\*(\d+)/g, (_all, one: string, other: string) => String(Number(one) * Number(other)));

let turn = 0;
const SOUND: readonly (readonly [string, Application])[] = [
  ['repeats the value', (value) => pageWith(value)],
  ['computes by itself', (value) => pageWith(computing(value.replaceAll(/[^\w*]/g, '')))],
  ['computes every product that it finds', (value) => pageWith(computing(value))],
  ['shows nothing of it', () => pageWith('Hello')],
  ['shows other numbers each time', (value) => pageWith(`${value.replaceAll(/\W/g, '')} ${(turn += 12_345_678)}`)],
  ['removes signs', (value) => pageWith(value.replaceAll(/[^\w]/g, ''))],
];

describe('template injection', () => {
  it.each(VULNERABLE)('is proved of %s', async (_what, application, said) => {
    const { outcome } = await observeApplication(templateInjection, application);
    expect(outcome).toMatchObject({ state: 'proved', detail: expect.stringContaining(said) });
    if (outcome.state !== 'proved') return;
    const again = await observeApplication(templateInjection, application, {
      variant: outcome.variant,
      isRepeat: true,
    });
    expect(again.outcome).toMatchObject({ state: 'proved', variant: outcome.variant });
    expect(again.values.length).toBe(3);
  });

  it.each(SOUND)('is sound where the application %s', async (_what, application) => {
    const { outcome, unjudged } = await observeApplication(templateInjection, application);
    expect(outcome.state).toBe('sound');
    expect(unjudged).toBe(0);
  });

  it('sends nothing but arithmetic', async () => {
    const { values } = await observeApplication(templateInjection, engine('{{', '}}', script));
    for (const value of values)
      expect(value).toMatch(
        /^[a-z]{9}(?: [{}$#@()[\]<%=\d* ]+(?:#set\(\$x=\d+\*\d+\)\$\{x\})?|[^\da-z]*(?:set|x|[\d*'+~]| b-xor )*[^\da-z]*x?[^\da-z]*[a-z]{9})?$/,
      );
  });

  it.each<[number, string, Application]>([
    [2, 'repeats the value', (value) => pageWith(value.replaceAll('<', '&lt;'))],
    [10, 'repeats it twice, once without signs', (value) => pageWith(`${value} ${value.replaceAll(/[{}]/g, '')}`)],
  ])('takes %i requests where the page %s', async (most, _what, application) => {
    const { outcome, values } = await observeApplication(templateInjection, application);
    expect(outcome.state).toBe('sound');
    expect(values).toHaveLength(most);
  });

  it('is disturbed when a firewall refuses the signs', async () => {
    const { outcome } = await observeApplication(templateInjection, (value) =>
      /[{}<$#(]/.test(value) ? { status: 403, body: 'Blocked' } : pageWith(value),
    );
    expect(outcome.state).toBe('disturbed');
  });
});
