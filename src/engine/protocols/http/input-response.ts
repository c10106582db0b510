import { asksForCaptcha } from '../../firewall-pages';
import { type Page, redirectOf } from '../../page';
import { blockReason } from '../../response-trust';
import { resembles, snapshot } from '../../snapshot';

const SEARCHED_CHARACTERS = 300_000;

/**
 * Whether a response without the weakness is a usual response to our input: a page that shows the input in another form, or the
 * page as it is without it. In the first test, which never shows a fix, this includes a redirect or a refusal of such input. A
 * rate limit does not count, because it would refuse every request.
 */
export async function isResponseToInput(answer: Page, page: Page, input: string, isFirst: boolean): Promise<boolean> {
  if (answer.status === 429) return false;
  if (redirectOf(answer) !== null || blockReason(answer) !== null || asksForCaptcha(answer, page)) return isFirst;
  if (answer.text.slice(0, SEARCHED_CHARACTERS).includes(input)) return true;
  const isPage = new URL(answer.url).pathname === new URL(page.url).pathname;
  return isPage && resembles(await snapshot(page), await snapshot(answer));
}
