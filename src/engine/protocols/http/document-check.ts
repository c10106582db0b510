import { type Observation, notVulnerable, type WebCheck } from '../../check';
import { isDocument, type Page } from '../../page';

type About = Omit<WebCheck, 'on' | 'control' | 'isAboutDocuments' | 'observe'>;

/** A check of what the target's page, or the one to which it leads within the asset, says to a browser. */
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
