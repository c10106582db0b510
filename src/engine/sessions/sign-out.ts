import { referencesIn } from '../active/crawl/references-in';
import type { Page } from '../page';
import { formsOf } from '../page-forms';
import { isSignOut } from '../signed-in/ending-words';
import { bodyOf } from '../signed-in/sign-in-values';
import type { HttpRequest } from '../transport/http';

/** The form or link of a page that signs out, at the origin of the page. */
export async function signOutIn(page: Page, place: HttpRequest): Promise<HttpRequest | null> {
  const { origin } = new URL(page.url);
  for (const { action, method, fields, labels, takesFiles } of await formsOf(page)) {
    const isPlain = fields.every(({ type }) => type === 'hidden' || type === 'submit') && !takesFiles;
    const path = `${action.pathname}${action.search}`;
    if (action.origin !== origin || method !== 'POST' || !isPlain || !isSignOut(path, labels)) continue;
    const sent = bodyOf(
      'form',
      fields.map(({ name, value }) => [name, value] as const),
    );
    const headers = [['Content-Type', sent?.type ?? ''] as const, ['Origin', origin] as const];
    return { ...place, path, method, headers: [...headers, ['Referer', page.url]], body: sent?.body };
  }
  const links = referencesIn(page).filter(
    ({ url, source, sent }) => url.origin === origin && source === 'link' && !sent,
  );
  const link = links.find(({ url, label }) => isSignOut(`${url.pathname}${url.search}`, label));
  return link === undefined ? null : { ...place, path: `${link.url.pathname}${link.url.search}` };
}
