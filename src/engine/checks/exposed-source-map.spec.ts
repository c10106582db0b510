import { probeSite } from '../testing/probe-site';
import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { exposedSourceMap } from './exposed-source-map';

const HOME = '<!doctype html><title>Shop</title><h1>Shop</h1><p>Prices</p><script src="/js/app.1f.js?v=2"></script>';
const map = (sourcesContent: readonly unknown[]): string =>
  JSON.stringify({ version: 3, sources: ['src/cart.ts'], mappings: 'AAAA', sourcesContent });
const at = (path: string, body: string): Site => ({
  pages: { '/': HOME, [path]: { headers: { 'content-type': 'application/json' }, body } },
});

truthTable(exposedSourceMap, {
  scheme: 'http',
  vulnerable: at('/js/app.1f.js.map', map(['export const cart = []'])),
  fixed: { pages: { '/': HOME } },
  alsoVulnerable: { 'it begins with a guard': at('/js/app.1f.js.map', `)]}'\n${map(['let x'])}`) },
});

describe('exposed-source-map', () => {
  it.each<[string, Site]>([
    ['the map has no sources', at('/js/app.1f.js.map', map([null]))],
    ['the sources are empty', at('/js/app.1f.js.map', map(['']))],
    ['every path is answered with the page', { answer: () => ({ body: `${HOME}"sourcesContent":["x` }) }],
    ['the script is of another site', { pages: { '/': HOME.replace('/js', '//cdn.test/js') } }],
  ])('is not vulnerable when %s', async (_what, site) => {
    expect(await probeSite(exposedSourceMap, site)).toBe('not_vulnerable');
  });
});
