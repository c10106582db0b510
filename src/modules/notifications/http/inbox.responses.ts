import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import { MAIL_KINDS, type MailKind } from '../domain/mail-kinds';
import { RECORD_TYPES, type NotifiedRecord } from '../domain/links';
import type { PersonalItem } from '../personal-item';

class InboxEntryResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string({ enum: MAIL_KINDS })
  kind!: MailKind;

  @ResponseField.string({ nullable: true, description: 'What happened, such as the verdict; null if `kind` says it.' })
  news!: string | null;

  @ResponseField.string({ nullable: true, enum: RECORD_TYPES, description: 'Null if the record is gone.' })
  record_type!: NotifiedRecord['type'] | null;

  @ResponseField.string({ nullable: true, description: 'The id, the UUID of a job, or the slug of an event.' })
  record_id!: string | null;

  @ResponseField.string({ nullable: true })
  title!: string | null;

  @ResponseField.string({ nullable: true, enum: SEVERITIES, description: 'Of a finding.' })
  severity!: Severity | null;

  @ResponseField.instant()
  created!: string;

  @ResponseField.instant({ nullable: true, description: 'When it was marked as read.' })
  read!: string | null;
}

export class UnreadResponse {
  @ResponseField.integer({ description: 'How many entries of the whole inbox are unread.' })
  unread!: number;
}

export class InboxResponse extends UnreadResponse {
  @ResponseField.list(InboxEntryResponse)
  inbox!: InboxEntryResponse[];
}

export const presentInboxEntry = ({ notice, record, finding, news }: PersonalItem): InboxEntryResponse => ({
  id: Number(notice.id),
  kind: notice.kind,
  news,
  record_type: record?.type ?? null,
  record_id: record?.id ?? null,
  title: record?.title ?? null,
  severity: finding === null ? null : (SEVERITIES[finding.severity] ?? null),
  created: notice.created.toISOString(),
  read: notice.read?.toISOString() ?? null,
});

export const inboxEntryExample = {
  id: 17,
  kind: 'mentioned',
  news: 'By Ada Ito',
  record_type: 'finding',
  record_id: '39',
  title: 'A Git repository is public',
  severity: 'high',
  created: '2026-01-31T12:00:00.000Z',
  read: null,
} as const;
