import { notVulnerable, type WebCheck } from '../check';
import type { Page } from '../page';
import { isPublic } from '../protocols/http/exposed-file';
import { attributeOf } from '../protocols/http/markup';
import { parseUrl } from '../../kernel/parse-url';

const MAX_SCRIPTS = 5;
const SEARCHED_CHARACTERS = 300_000;

/** The usual paths of the source maps for the scripts of a page. */
function mapsOf({ url, text }: Page): string[] {
  const own = new URL(url);
  const paths = text
    .slice(0, SEARCHED_CHARACTERS)
    .match(/<script\s[^<>]{0,2000}/gi)
    ?.flatMap((tag) => {
      const script = parseUrl(attributeOf(tag, 'src') ?? '', url);
      return script?.origin === own.origin && /\.m?js$/.test(script.pathname) ? [`${script.pathname}.map`] : [];
    });
  return [...new Set(paths)].slice(0, MAX_SCRIPTS);
}

/** Maps without sources only translate line numbers. */
const hasSources = ({ body }: Page): boolean =>
  /^(?:\)\]\}'[^\n]{0,20}\n)?\s{0,20}\{\s{0,20}"/.test(body.toString('latin1', 0, 100)) &&
  body.includes('"mappings"') &&
  /^"sourcesContent"\s{0,10}:\s{0,10}\[\s{0,10}"(?!")/.test(
    body.subarray(Math.max(0, body.indexOf('"sourcesContent"'))).toString('latin1', 0, 100),
  );

export const exposedSourceMap: WebCheck = {
  id: 'exposed-source-map',
  title: 'Source map is public: it contains the sources of scripts',
  severity: 'low',
  cwe: [540],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-INFO-08'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  references: ['https://tc39.es/ecma426/', 'https://developer.mozilla.org/en-US/docs/Glossary/Source_map'],
  decides:
    'Requests the source maps of up to five scripts of the page: their paths with `.map`. It is vulnerable if a response is a source map that contains sources. It is fixed when no path returns such a map.',
  text: `A source map contains the original source code of the scripts of the page, with comments and the names of internal
files. That makes it easier to find weaknesses, and often shows unused functions and addresses of internal systems.

**How to fix it.** Do not publish the maps: turn them off for production, or have the build make them without a reference
and keep them where only your tools for error reports can read them.`,
  on: 'page',
  control: 'followed',
  selfEvident: true,
  async observe({ page, probe, seen }) {
    const paths = [...new Set([...(seen === null ? [] : [seen]), ...mapsOf(page)])];
    for (const path of paths) {
      const answer = await probe.http({ path });
      if (hasSources(answer)) return isPublic(path, answer, 'it contains sources');
    }
    return notVulnerable(paths.length === 0 ? 'the page has no scripts of its own' : `${paths.join(', ')}: no sources`);
  },
};
