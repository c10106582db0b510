import type { VNode } from 'preact';
import { countText } from '../frame/words';
import { Time } from '../frame/time';
import { findingsUrl, scansUrl } from '../urls';
import { ChecklistPart, TurnOnObservation } from './checklist';
import { COUNTED, type HomeView } from './home-reader';
import { HomeTabs } from './home-tabs';
import { type Matter, operationMatters, shownMatters } from './matters';

interface HomePageProps {
  readonly view: HomeView;
  /** The part beside what needs a person. */
  readonly week: VNode;
}

export function HomePage({ view, week }: HomePageProps): VNode {
  const matters = mattersOf(view);
  const checklist = <ChecklistPart organizationId={view.organizationId} checklist={view.checklist} />;
  return (
    <>
      <HomeTabs organizationId={view.organizationId} current="home" />
      <p class="situation">{situationOf(view)}</p>
      {view.checklist.offersObservation && <TurnOnObservation organizationId={view.organizationId} />}
      {matters.length === 0 && checklist}
      <div class="home">
        <div class="needs-you">
          <h2>Needs attention</h2>
          {matters.length === 0 ? <NothingToDo view={view} /> : matters.map(MatterPart)}
        </div>
        {week}
      </div>
      {matters.length > 0 && checklist}
    </>
  );
}

/** How many kinds of things need a person, for the title of the tab. */
export const attentionCount = (view: HomeView): string => countText(mattersOf(view).length);

const mattersOf = (view: HomeView): Matter[] => [...shownMatters(view), ...operationMatters(view)];

const MatterPart = ({ id, title, total, items, href }: Matter): VNode => (
  <section key={id} class="matter" aria-labelledby={`${id}-title`}>
    <h3 id={`${id}-title`}>
      <a href={href}>
        {title} <span class="count">{countText(total, COUNTED)}</span>
      </a>
    </h3>
    {items.length > 0 && <ul class="plain">{items}</ul>}
    {total > items.length && <a href={href}>All {countText(total, COUNTED)}</a>}
  </section>
);

const text = (count: number): string => countText(count, COUNTED);
const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** What is proved is not lost among claims. */
function criticalText({ critical, proved, claimed, untestable }: HomeView['counts']): string {
  const known = [
    { count: proved, word: 'proved' },
    { count: claimed, word: 'claimed' },
    { count: untestable, word: 'untestable' },
  ].filter(({ count }) => count > 0);
  if (known.length === 0) return `${text(critical)} critical ${are(critical)} open, and refuted.`;
  const parts = known.map(
    ({ count, word }, at) => `${text(count)}${at === 0 ? ' critical' : ' more'} ${are(count)} ${word}`,
  );
  return `${parts.join(', ')}${proved === 0 ? ', and none is proved' : ''}.`;
}

/** The first sentences: how it stands. */
function situationOf({ counts, matters }: HomeView): string {
  const { critical, high, provedHigh } = counts;
  const totalOf = (id: string): number => matters.find((matter) => matter.id === id)?.total ?? 0;
  const [unassigned, overdue, news] = [totalOf('unassigned'), totalOf('overdue'), totalOf('new')];
  return [
    ...(critical + high === 0 ? ['No critical or high finding is open.'] : []),
    ...(critical > 0 ? [criticalText(counts)] : []),
    ...(high > 0
      ? [`${text(high)} high ${are(high)} open${provedHigh > 0 ? `, ${text(provedHigh)} of them proved` : ''}.`]
      : []),
    ...(unassigned > 0 ? [`${text(unassigned)} ${are(unassigned)} assigned to no one.`] : []),
    ...(overdue > 0 ? [`${text(overdue)} ${are(overdue)} overdue.`] : []),
    ...(news > 0 ? [`${text(news)} ${are(news)} new since your last visit.`] : []),
  ].join(' ');
}

const NothingToDo = ({ view: { organizationId, checked } }: { view: HomeView }): VNode => (
  <section class="empty" aria-labelledby="nothing-to-do">
    <h3 id="nothing-to-do">Nothing needs attention now</h3>
    <p>
      Checked <Time at={checked} />: open findings and their due dates, retests, acceptances, gates and imports of the
      last 7 days, beacons, certificates and domains.
    </p>
    <p>
      <a href={findingsUrl(organizationId)}>All open findings</a> or <a href={scansUrl(organizationId)}>scan a URL</a>
    </p>
  </section>
);
