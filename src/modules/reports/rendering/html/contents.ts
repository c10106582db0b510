import type { ReportSnapshot } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { reportContentsOf } from '../report-contents';
import type { chaptersOf } from '../report-words';
import { titlePageOf } from '../title-page';
import { anchorOf } from './badges';
import { labeledList } from './cover';

/** Findings in the contents. The table at the start of the findings lists all of them. */
const MAX_LISTED = 60;

function findingLinks({ findings }: ReportSnapshot): Markup {
  const listed = findings.slice(0, MAX_LISTED);
  const rest = findings.length - listed.length;
  return markup`<ol class="findings">${listed.map(
    (finding) =>
      markup`<li><a href="#${anchorOf(finding)}"><i class="severity-${finding.severity}" title="${finding.severity}"></i><bdi>${finding.title}</bdi></a></li>`,
  )}${rest > 0 && markup`<li><a href="#findings">and ${rest} more</a></li>`}</ol>`;
}

/** Of the annex. Without one only what the document is. */
export function contents(snapshot: ReportSnapshot, annex: ReturnType<typeof chaptersOf>): Markup {
  return markup`
<nav class="contents" aria-label="Contents">
  ${
    annex.length > 0 &&
    markup`<h2>Contents</h2>
  <ol>${annex.map(
    ([section, title]) =>
      markup`<li><a href="#${section}">${title}</a>${section === 'findings' && snapshot.findings.length > 0 && findingLinks(snapshot)}</li>`,
  )}</ol>`
  }
  <section class="document"><h2>About this document</h2>${labeledList([...titlePageOf(snapshot).document, ...reportContentsOf(snapshot)])}</section>
</nav>`;
}
