import { parseTarget } from '../../../engine/target';
import { withClosestPage } from './closest-page';

const chosen = (values: readonly string[], target: string): string[] =>
  withClosestPage(
    values.map((value) => ({ value })),
    parseTarget(target),
  ).map(({ value }) => value);

const site = 'https://x.example';
const pages = ['/', '/app', '/apple', '/app/deep/', '/app/deep/er'].map((path) => `${site}${path}`);

describe('withClosestPage', () => {
  it.each([
    ['/', '/'],
    ['/other', '/'],
    ['/app', '/app'],
    ['/app/', '/app'],
    ['/app/deep', '/app'],
    ['/app/deep/x', '/app/deep/'],
    ['/app/deep/er/x', '/app/deep/er'],
    ['/app/deep/error', '/app/deep/'],
    ['/apple/x', '/apple'],
    ['/applet', '/'],
  ])('assigns %s to %s, whatever the order of the assets', (path, page) => {
    expect(chosen(pages, `${site}${path}`)).toEqual([`${site}${page}`]);
    expect(chosen(pages.toReversed(), `${site}${path}`)).toEqual([`${site}${page}`]);
  });

  it('requires the same scheme and port', () => {
    const others = ['http://x.example/app', `${site}:8443/app`];
    expect(chosen([...others, `${site}/`], `${site}/app`)).toEqual([`${site}/`]);
    expect(chosen([...others, `${site}/`], `${site}:8443/app/x`)).toEqual([`${site}:8443/app`]);
  });

  it('keeps all assets when none is a page above the target', () => {
    expect(chosen([`${site}/a`, `${site}/b`], `${site}/c`)).toHaveLength(2);
    expect(chosen([`${site}/a`, `${site}/b`], 'tcp://x.example:443')).toHaveLength(2);
    expect(chosen(['x.example', 'x.example'], `${site}/c`)).toHaveLength(2);
    expect(chosen([], `${site}/c`)).toEqual([]);
  });
});
