import type { VNode } from 'preact';
import type { Actor } from '../../platform/api/caller';
import { actorName } from '../frame/actor-name';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { type Sentence, sentenceOf } from './sentence-of';
import type { Activity } from './activity';

/** What happened, the newest first. */
export function ActivityList({ activity: { entries, ...names } }: { activity: Activity }): VNode {
  if (entries.length === 0)
    return (
      <section class="empty">
        <h2>Nothing has happened yet</h2>
        <p>Changes of findings, scans, assets and other records appear here for 30 days.</p>
      </section>
    );
  return (
    <Table
      class="block-table activity"
      rows={entries.map((entry) => ({ entry, sentence: sentenceOf(entry, names) }))}
      columns={[
        { label: 'Time', class: 'nowrap', cell: ({ entry }) => <Time at={entry.at} /> },
        {
          label: 'Who',
          class: 'nowrap',
          cell: ({ entry }) => <Who actor={names.actors.get(entry.position)} names={names.people} />,
        },
        { label: 'What happened', class: 'wide', cell: ({ sentence }) => <SentenceCell sentence={sentence} /> },
      ]}
    />
  );
}

const Who = ({ actor, names }: { actor: Actor | undefined; names: Activity['people'] }): VNode | null =>
  actor === undefined ? null : <bdi>{actorName(actor.type, actor.id, names)}</bdi>;

function SentenceCell({ sentence: { before, name, href, after } }: { sentence: Sentence }): VNode {
  const shown = <bdi>{name}</bdi>;
  return (
    <>
      {before !== '' && `${before} `}
      {href === null ? shown : <a href={href}>{shown}</a>} {after}
    </>
  );
}
