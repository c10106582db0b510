import { asksForCaptcha } from '../../firewall-pages';
import { type Page, redirectOf } from '../../page';
import { blockReason } from '../../response-trust';
import { resembles, snapshot } from '../../snapshot';

const SEARCHED_CHARACTERS = 300_000;

/**
 * Whether a response without the weakness is what sites answer to input of ours: a page that names it in another form, or
 * the page as without it. At the first test also a redirect, or a refusal of such input: nothing is to be shown as fixed.
 * Not a rate limit, which would refuse every request.
 */
export async function isResponseToInput(answer: Page, page: Page, input: string, isFirst: boolean): Promise<boolean> {
  if (answer.status === 429) return false;
  if (redirectOf(answer) !== null || blockReason(answer) !== null || asksForCaptcha(answer, page)) return isFirst;
  if (answer.text.slice(0, SEARCHED_CHARACTERS).includes(input)) return true;
  const isPage = new URL(answer.url).pathname === new URL(page.url).pathname;
  return isPage && resembles(await snapshot(page), await snapshot(answer));
}
