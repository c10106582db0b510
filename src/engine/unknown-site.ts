import { isDocument, type Page } from './page';
import type { TargetProbe } from './probe';
import { resembles, snapshot } from './snapshot';
import { parseUrl } from '../kernel/parse-url';

const SEARCHED_CHARACTERS = 100_000;
const MAX_PARTS = 4;

interface PartOfSite {
  readonly path: string;
  readonly media: RegExp;
}

const SCRIPT = /^(?:text|application)\/(?:x-)?(?:java|ecma)script\b/i;
const STYLE = /^text\/css\b/i;
const LOADED = /<(script|link)\b([^<>]{0,500})/gi;
const ADDRESS = /\b(?:src|href)\s?=\s?["']?([^"'\s<>]{1,500})/i;

/** The scripts and styles of its own origin that a page loads. */
export function partsLoadedBy({ text, url }: Page): readonly PartOfSite[] {
  const parts = new Map<string, PartOfSite>();
  for (const [, tag = '', attributes = ''] of text.slice(0, SEARCHED_CHARACTERS).matchAll(LOADED)) {
    const isScript = tag.toLowerCase() === 'script';
    if (!isScript && !/\brel\s?=\s?["']?stylesheet\b/i.test(attributes)) continue;
    const [, address = ''] = ADDRESS.exec(attributes) ?? [];
    const to = address === '' ? null : parseUrl(address, url);
    if (to?.origin !== new URL(url).origin) continue;
    parts.set(to.href, { path: `${to.pathname}${to.search}`, media: isScript ? SCRIPT : STYLE });
    if (parts.size === MAX_PARTS) break;
  }
  return [...parts.values()];
}

/** A single-page application answers every path with its page. A firewall that does so has no scripts or styles to load. */
async function loadsOwnParts(page: Page, probe: TargetProbe): Promise<boolean> {
  for (const { path, media } of isDocument(page) ? partsLoadedBy(page) : []) {
    const part = await probe.requestPage({ path });
    if (part.status === 200 && media.test(part.headers.get('content-type') ?? '')) return true;
  }
  return false;
}

async function isAlike(page: Page, missing: Page): Promise<boolean> {
  if (page.status !== missing.status) return false;
  return page.body.equals(missing.body) || resembles(await snapshot(page), await snapshot(missing));
}

/** Titles and headings of registrars' and domain dealers' pages. */
const PARKED =
  /<(title|h1|h2)[^<>]{0,200}>[^<]{0,200}\b(?:domain (?:name )?(?:is|may be) (?:for sale|parked|available)|is for sale\b|parked (?:domain|free|page)|buy this domain|domain (?:parking|for sale)|this domain has expired|domain steht zum verkauf|dominio en venta)/i;

/** Used without an earlier page: why the page may be that of another system that answers every path; or null. */
export async function standInReason(page: Page, missing: Page, probe: TargetProbe): Promise<string | null> {
  if (PARKED.test(page.text.slice(0, SEARCHED_CHARACTERS)))
    return 'the tested page says that its domain is parked or for sale, so another owner may have responded';
  if (!(await isAlike(page, missing)) || (await loadsOwnParts(page, probe))) return null;
  return 'the tested page is the one for missing paths too, and loads no script or style of its site, so another system may have responded';
}
