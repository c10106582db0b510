import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import type { Inbox, MailKind, PersonalItem } from '../../modules/notifications';
import { SeverityBadge } from '../frame/badges';
import { Form } from '../frame/form';
import { Pager } from '../frame/pager';
import { Tabs } from '../frame/tabs';
import { Time } from '../frame/time';
import { formatted } from '../frame/words';
import { approvalsUrl, inboxUrl, recordUrl } from '../urls';

interface InboxPageProps {
  readonly organizationId: number;
  readonly inbox: Inbox;
  /** How many proposals the user may confirm. */
  readonly approvals: number;
  readonly isUnread: boolean;
  readonly page: Page;
}

const KINDS: Readonly<Record<MailKind, string>> = {
  assigned: 'Assigned to you',
  mentioned: 'You were mentioned',
  verdict: 'Verdict',
  gate: 'Red gate',
  due_soon: 'Due soon',
  done: 'Done',
  account: 'Account',
};

export function InboxPage({ organizationId, inbox, approvals, isUnread, page }: InboxPageProps): VNode {
  const url = inboxUrl(organizationId);
  const unread = inbox.unread === 0 ? 'Unread' : `Unread (${formatted(inbox.unread)})`;
  return (
    <>
      {approvals > 0 && (
        <p>
          <a href={approvalsUrl(organizationId, 'pending')}>
            {approvals === 1 ? '1 proposal needs' : `${formatted(approvals)} proposals need`} your approval
          </a>
        </p>
      )}
      <Tabs
        name="Entries"
        tabs={[
          { label: 'All', href: url, isCurrent: !isUnread },
          { label: unread, href: inboxUrl(organizationId, true), isCurrent: isUnread },
        ]}
      />
      {inbox.items.length === 0 ? (
        <section class="empty">
          <h2>{isUnread ? 'Nothing is unread' : 'Nothing has come yet'}</h2>
          <p>
            Mentions, findings that are assigned to you, verdicts of findings that you follow, and failed gates of your
            scans and events come here. They are kept for 90 days.
          </p>
        </section>
      ) : (
        <ol class="plain inbox">
          {inbox.items.map((item) => (
            <Entry key={item.notice.id} {...{ organizationId, item }} isOfUnread={isUnread} />
          ))}
        </ol>
      )}
      <Pager page={page} slice={inbox} url={inboxUrl(organizationId, isUnread)} />
    </>
  );
}

/** All that had come when the page was read, on all of its pages. Later entries stay unread. */
export const MarkAllRead = ({ organizationId, inbox }: Pick<InboxPageProps, 'organizationId' | 'inbox'>): VNode => (
  <div>
    <Form action={`${inboxUrl(organizationId)}/read`}>
      <input type="hidden" name="up_to" value={inbox.newestUnread ?? undefined} />
      <button>Mark all as read</button>
    </Form>
  </div>
);

interface EntryProps {
  readonly organizationId: number;
  readonly item: PersonalItem;
  /** Whether the list has unread entries only. */
  readonly isOfUnread: boolean;
}

function Entry({ organizationId, item, isOfUnread }: EntryProps): VNode {
  const { notice, finding, news } = item;
  const severity = finding === null ? undefined : SEVERITIES[finding.severity];
  const isUnread = notice.read === null;
  return (
    <li class={isUnread ? 'unread' : undefined}>
      <div>
        <Title {...{ organizationId, item }} />
        <p class="muted">
          {isUnread && <span class="visually-hidden">Unread. </span>}
          {KINDS[notice.kind]}
          {news !== null && (
            <>
              {' · '}
              <bdi>{news}</bdi>
            </>
          )}{' '}
          · <Time at={notice.created} /> {severity !== undefined && <SeverityBadge severity={severity} />}
        </p>
      </div>
      {isUnread && (
        <Form action={`${inboxUrl(organizationId)}/read`}>
          <input type="hidden" name="id" value={notice.id} />
          {isOfUnread && <input type="hidden" name="unread" value="true" />}
          <button class="quiet">Mark as read</button>
        </Form>
      )}
    </li>
  );
}

/** The script marks the entry as read when its link is opened. */
function Title({ organizationId, item: { notice, record } }: Omit<EntryProps, 'isOfUnread'>): VNode {
  if (record === null) return <span class="muted">It is no longer there.</span>;
  const url = recordUrl(organizationId, record.type, record.id);
  const href = notice.kind === 'mentioned' ? `${url}#comment-${notice.reference}` : url;
  return (
    <a href={href} data-reads dir="auto">
      {record.title}
    </a>
  );
}
