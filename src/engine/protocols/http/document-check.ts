import { type Observation, notVulnerable, type WebCheck } from '../../check';
import type { Page } from '../../page';

const HTML = /^\s?(?:text\/html|application\/xhtml\+xml)\b/i;

/** A page that a browser shows. Redirects, errors and data have nothing that a header for documents could protect. */
const isDocument = ({ status, headers }: Page): boolean =>
  status >= 200 && status < 300 && HTML.test(headers.get('content-type') ?? '');

type About = Omit<WebCheck, 'on' | 'control' | 'observe'>;

/** A check of what the target's page, or the one to which it leads within the asset, says to a browser. */
export function documentCheck(about: About, judge: (page: Page) => Observation): WebCheck {
  return {
    ...about,
    on: 'page',
    control: 'followed',
    observe: ({ page }) => (isDocument(page) ? judge(page) : notVulnerable('the response is not an HTML page')),
  };
}
