import { type Application, observeApplication } from '../testing/simulated-point';
import { headerInjection } from './header-injection';

/** Writes the header like a server without validation. */
const written =
  (decode: (value: string) => string): Application =>
  (value) => {
    const [first = '', ...lines] = decode(value).split(/\r\n|\n/);
    const more = lines.map((line) => line.split(': ', 2) as [string, string]);
    return { status: 302, headers: { location: `/found/${first}`, ...Object.fromEntries(more) } };
  };
const asBytes = (value: string): string => Buffer.from(value, 'latin1').toString('latin1');

describe('header injection', () => {
  it.each<[string, Application, string]>([
    ['writes it as it is', written((value) => value), 'CR LF'],
    ['removes CR', written((value) => value.replaceAll('\r\n', '')), 'LF'],
    [
      'decodes it once more',
      written((value) => decodeURIComponent(value.replaceAll(/[\r\n]/g, ''))),
      'CR LF, encoded once more',
    ],
    [
      'cuts characters to bytes',
      written((value) => asBytes(value.replaceAll(/[\r\n]/g, ''))),
      'characters whose low bytes are CR LF',
    ],
  ])('is proved where the application %s', async (_what, application, variant) => {
    const { outcome } = await observeApplication(headerInjection, application);
    expect(outcome).toMatchObject({ state: 'proved', variant });
    const again = await observeApplication(headerInjection, application, { variant, isRepeat: true });
    expect(again.outcome).toMatchObject({ state: 'proved', variant });
    expect(again.values.length).toBe(3);
  });

  it.each<[string, Application]>([
    ['removes line breaks', written((value) => value.replaceAll(/[\r\n]/g, ''))],
    ['shows it in the page', (value) => ({ body: value })],
    [
      'makes a header of everything that looks like one',
      (value) => ({
        headers: {
          location: `/${value.replaceAll(/\W/g, '')}`,
          ...Object.fromEntries([/(X-\w+): (\w+)/.exec(value)?.slice(1) ?? ['x-none', '1']]),
        },
      }),
    ],
  ])('is sound where the application %s', async (_what, application) => {
    const { outcome, unjudged } = await observeApplication(headerInjection, application);
    expect(outcome.state).toBe('sound');
    expect(unjudged).toBe(0);
  });

  it('is disturbed when a firewall refuses line breaks', async () => {
    const { outcome } = await observeApplication(headerInjection, (value) =>
      /[\r\n%\u560a]/.test(value) ? { status: 403, body: 'Blocked' } : written((one) => one)(value, ''),
    );
    expect(outcome.state).toBe('disturbed');
  });
});
