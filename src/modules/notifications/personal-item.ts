import type { NotifiedAccount } from '../accounts';
import type { NotifiedEvent } from '../events';
import type { NotifiedComment, NotifiedFinding } from '../findings';
import type { NotifiedJob } from '../jobs';
import type { StartedReport } from '../reports';
import type { StartedRetest } from '../retests';
import type { PersonalNotice } from './data/personal-notice.entity';
import type { NotifiedRecord } from './domain/links';

/** The current records that notices are about, by the ids in their references. */
export interface NotifiedRecords {
  readonly findings: ReadonlyMap<string, NotifiedFinding>;
  readonly comments: ReadonlyMap<string, NotifiedComment>;
  readonly retests: ReadonlyMap<string, StartedRetest>;
  readonly reports: ReadonlyMap<string, StartedReport>;
  readonly jobs: ReadonlyMap<string, NotifiedJob>;
  readonly events: ReadonlyMap<string, NotifiedEvent>;
  readonly accounts: ReadonlyMap<string, NotifiedAccount>;
  /** Of users. */
  readonly names: ReadonlyMap<number, string>;
}

/** A notice in words. */
export interface PersonalItem {
  readonly notice: PersonalNotice;
  /** Null if it is gone. */
  readonly record: NotifiedRecord | null;
  readonly finding: NotifiedFinding | null;
  /** Null if there is no more to say than the kind. */
  readonly news: string | null;
  /** Whether it is still true; only then it is mailed. */
  readonly isCurrent: boolean;
}

const VERDICTS = {
  fixed: 'says: fixed',
  still_vulnerable: 'says: still vulnerable',
  inconclusive: 'could not tell',
  blocked: 'was refused',
} as const;

const verdictOf = (name: string, result: keyof typeof VERDICTS | null): string =>
  `The ${name} ${result === null ? 'could not run' : VERDICTS[result]}`;

/** The words of a reference: what it is about, and its id. */
export const partsOf = ({ reference }: Pick<PersonalNotice, 'reference'>): [word: string, id: string] => {
  const [word = '', id = ''] = reference.split(' ');
  return [word, id];
};

export function itemOf(notice: PersonalNotice, records: NotifiedRecords): PersonalItem {
  const finding = records.findings.get(String(notice.findingId)) ?? null;
  const { record, news } =
    notice.findingId === null ? aboutOther(notice, records) : aboutFinding(notice, finding, records);
  const isOwn = finding?.assigneeId === notice.userId;
  const isTrue =
    notice.kind === 'assigned'
      ? isOwn
      : notice.kind === 'account'
        ? isStillEnding(notice, records)
        : notice.kind !== 'due_soon' || (isOwn && finding.status <= 4 && finding.dueDate !== null);
  return { notice, record, finding, news: record && news, isCurrent: isTrue && record !== null };
}

/** The day may have been changed, with the cookie or header. */
function isStillEnding(notice: PersonalNotice, { accounts }: NotifiedRecords): boolean {
  const [, id = '', what, day] = notice.reference.split(' ');
  return what !== 'expires' || accounts.get(id)?.expires === day;
}

type ItemDetails = Pick<PersonalItem, 'record' | 'news'>;

const gone: ItemDetails = { record: null, news: null };

function aboutFinding(notice: PersonalNotice, finding: NotifiedFinding | null, records: NotifiedRecords): ItemDetails {
  if (finding === null) return gone;
  const record = { type: 'finding', id: String(finding.id), title: finding.title } as const;
  const by = (userId: unknown): string | null => {
    const name = records.names.get(Number(userId ?? 0));
    return name === undefined ? null : `By ${name}`;
  };
  if (notice.kind === 'assigned') return { record, news: by(finding.assignedBy) };
  if (notice.kind === 'mentioned') return { record, news: by(records.comments.get(notice.reference)?.actorId) };
  if (notice.kind === 'due_soon') return { record, news: finding.dueDate && `Due on ${finding.dueDate}` };
  const [word, id] = partsOf(notice);
  const retest = records.retests.get(id);
  if (retest === undefined) return gone;
  const news =
    word === 'retest' ? verdictOf('retest', retest.result) : verdictOf('second look', retest.secondLookResult);
  return { record, news };
}

function aboutOther(notice: PersonalNotice, { reports, jobs, events, accounts }: NotifiedRecords): ItemDetails {
  if (notice.kind === 'account') return aboutAccount(notice, accounts);
  const [word, id] = partsOf(notice);
  const report = word === 'report' ? reports.get(id) : undefined;
  if (report !== undefined)
    return {
      record: { type: 'report', id, title: `Report ${id}` },
      news: report.error === null ? 'It can be downloaded' : 'It could not be generated',
    };
  const job = word === 'job' ? jobs.get(id) : undefined;
  if (job !== undefined)
    return {
      record: { type: 'job', id, title: job.page },
      news: job.gate === 'incomplete' ? 'Checks could not be completed' : 'Its findings fail the gate',
    };
  const event = word === 'event' ? events.get(id) : undefined;
  if (event === undefined) return gone;
  return { record: { type: 'event', id: event.slug, title: event.name }, news: 'Scans of it fail their gate' };
}

function aboutAccount(notice: PersonalNotice, accounts: NotifiedRecords['accounts']): ItemDetails {
  const [, id = '', what, day] = notice.reference.split(' ');
  const account = accounts.get(id);
  if (account === undefined) return gone;
  const news =
    what === 'expires'
      ? `Its header or cookie ends on ${day}: replace it`
      : 'A scheduled scan was not proved to be signed in with it';
  return { record: { type: 'asset', id: String(account.assetId), title: `Account ${account.name}` }, news };
}
