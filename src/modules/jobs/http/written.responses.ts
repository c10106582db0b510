import { redact } from '../../../kernel/redact';
import { ResponseField } from '../../../platform/api/response-field';
import type { WrittenByJob } from '../data/job-submissions.repository';

export class WrittenResponse {
  @ResponseField.string()
  method!: string;

  @ResponseField.string({ description: 'To which it was submitted, without a query.' })
  path!: string;

  @ResponseField.string({
    nullable: true,
    description: 'A word in the values that were entered, so that you find them; null if there was no place for it.',
  })
  mark!: string | null;

  @ResponseField.integer({ description: 'How often. Each may have left an entry.' })
  submissions!: number;

  @ResponseField.strings({ description: 'Pages that showed the mark after the first one.' })
  shown_at!: string[];

  @ResponseField.strings({
    description:
      'Addresses that the target named for what it created, and that could not be deleted again; at most 50.',
  })
  remaining!: string[];

  @ResponseField.integer({ description: 'How many such entries were deleted again.' })
  deleted!: number;

  @ResponseField.instant({ description: 'When the job changed this entry last.' })
  updated!: string;
}

export class WrittenListResponse {
  @ResponseField.list(WrittenResponse)
  written!: WrittenResponse[];
}

export const presentWritten = (written: WrittenByJob): WrittenResponse => ({
  method: written.method,
  path: redact(written.path),
  mark: written.mark,
  submissions: written.submissions,
  shown_at: written.shownAt.map((path) => redact(path)),
  remaining: written.left.map((path) => redact(path)),
  deleted: written.deleted,
  updated: written.updated.toISOString(),
});

export const writtenExample: WrittenResponse = {
  method: 'POST',
  path: '/guestbook',
  mark: 'assayqwrtzpsdf',
  submissions: 84,
  shown_at: ['/guestbook'],
  remaining: [],
  deleted: 0,
  updated: '2026-01-31T12:20:00.000Z',
};
