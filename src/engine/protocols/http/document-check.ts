import { type Observation, notVulnerable, type WebCheck } from '../../check';
import { isDocument, type Page } from '../../page';

type About = Omit<WebCheck, 'on' | 'control' | 'isAboutDocuments' | 'observe'>;

/** A check of the target's page as browsers get it, after redirects within the asset. */
export function documentCheck(about: About, judge: (page: Page, earlier?: Page) => Observation): WebCheck {
  return {
    ...about,
    on: 'page',
    control: 'followed',
    isAboutDocuments: true,
    observe: ({ page, earlier }) =>
      isDocument(page) ? judge(page, earlier) : notVulnerable('the response is not an HTML page'),
  };
}
