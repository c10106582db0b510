import type { Content } from './content';
import { escapeHtml } from './escape-html';
import { productsWith } from './products';
import type { OpenWeaknesses, WeaknessName } from './weaknesses';

type Answer = (value: string, isVulnerable: boolean) => string;

/** Multiplies only, because a real engine would run any program on this machine. */
const render = (template: string): string =>
  template.replace(/\{\{\s*(\d{1,9})\s*\*\s*(\d{1,9})\s*\}\}/g, (_, one, other) => String(BigInt(one) * BigInt(other)));

/** Pages with one parameter, and the weakness that each has. */
const PAGES: ReadonlyMap<string, readonly [WeaknessName, parameter: string, Answer]> = new Map([
  ['/products', ['sql-injection', 'id', (value, isVulnerable) => escapeHtml(productsWith(value, isVulnerable))]],
  ['/search', ['reflected-input', 'q', (value, isVulnerable) => (isVulnerable ? value : escapeHtml(value))]],
  [
    '/greeting',
    ['template-injection', 'name', (value, isVulnerable) => escapeHtml(isVulnerable ? render(value) : value)],
  ],
]);

export function inputPageAt(path: string, query: string, open: OpenWeaknesses): Content | undefined {
  const page = PAGES.get(path);
  if (page === undefined) return undefined;
  const [name, parameter, answer] = page;
  const text = answer(new URLSearchParams(query).get(parameter) ?? '', open.has(name));
  return { type: 'text/html; charset=utf-8', body: `<!doctype html><title>${name}</title><p>Result: ${text}</p>\n` };
}
