import type { VNode } from 'preact';
import type { FindingsPreview } from '../../modules/findings';
import { countText, pluralize } from '../frame/words';
import { Time } from '../frame/time';
import { findingsUrl, scansUrl } from '../urls';
import { ChecklistPart, TurnOnObservation } from './checklist';
import type { HomeView } from './home-reader';
import { HomeTabs } from './home-tabs';
import { findingMatter, type Matter, operationMatters } from './matters';

interface HomePageProps {
  readonly view: HomeView;
  /** The part beside what needs a person. */
  readonly week: VNode;
}

export function HomePage({ view, week }: HomePageProps): VNode {
  const matters = mattersOf(view);
  return (
    <>
      <HomeTabs organizationId={view.organizationId} current="home" />
      <p class="situation">{situationOf(view)}</p>
      {view.checklist.offersObservation && <TurnOnObservation organizationId={view.organizationId} />}
      <ChecklistPart organizationId={view.organizationId} checklist={view.checklist} />
      <div class="home">
        <div class="needs-you">
          <h2>Needs you</h2>
          {matters.length === 0 ? <NothingToDo view={view} /> : matters.map(MatterPart)}
        </div>
        {week}
      </div>
    </>
  );
}

/** How many kinds of things need a person, for the title of the tab. */
export const attentionCount = (view: HomeView): string => countText(mattersOf(view).length);

const mattersOf = (view: HomeView): Matter[] => {
  const [lists, news] = [view.matters, view.matters.filter(({ id }) => id === 'new')];
  const urgent = lists.filter((list) => !news.includes(list));
  return [
    ...urgent.map((list) => findingMatter(view, list)),
    ...operationMatters(view),
    ...news.map((list) => findingMatter(view, list)),
  ];
};

const MatterPart = ({ id, title, total, items, href }: Matter): VNode => (
  <section key={id} class="matter" aria-labelledby={`${id}-title`}>
    <h3 id={`${id}-title`}>
      <a href={href}>
        {title} <span class="count">{countText(total)}</span>
      </a>
    </h3>
    <ul class="plain">{items}</ul>
  </section>
);

/** What an admin would say when asked how it stands. */
function situationOf({ counts: { critical, severe }, matters }: HomeView): string {
  const totalOf = (id: string): number =>
    matters.find((matter): matter is typeof matter & FindingsPreview => matter.id === id)?.total ?? 0;
  const are = (total: number): string => (total === 1 ? 'is' : 'are');
  const [unassigned, overdue, news] = [totalOf('unassigned'), totalOf('overdue'), totalOf('new')];
  const open =
    severe === 0
      ? 'No critical or high finding is open'
      : critical > 0
        ? `${countText(critical)} critical ${critical === 1 ? 'finding' : 'findings'} and ${countText(severe - critical)} high ${are(severe)} open`
        : `No critical finding is open, and ${countText(severe)} high ${are(severe)}`;
  return [
    severe > 0 && unassigned > 0
      ? `${open}; ${countText(unassigned)} ${are(unassigned)} assigned to no one.`
      : `${open}.`,
    overdue > 0 ? `${countText(overdue)} ${are(overdue)} overdue.` : '',
    news > 0 ? `${pluralize(news, 'finding')} ${news === 1 ? 'is' : 'are'} new since your last visit.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const NothingToDo = ({ view: { organizationId, checked } }: { view: HomeView }): VNode => (
  <section class="empty" aria-labelledby="nothing-to-do">
    <h3 id="nothing-to-do">Nothing needs you now</h3>
    <p>
      Looked at <Time at={checked} />: open findings and their due dates, retests, acceptances, gates and imports of the
      last 7 days, beacons, certificates and domains.
    </p>
    <p>
      <a href={findingsUrl(organizationId)}>All open findings</a> or <a href={scansUrl(organizationId)}>scan a URL</a>
    </p>
  </section>
);
