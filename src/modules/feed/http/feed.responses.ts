import { ResponseField } from '../../../platform/api/response-field';
import type { Entry } from '../data/feed.repository';
import { ENTRY_TYPES } from '../domain/entry-types';
import type { FeedPage } from '../feed.service';

export class FeedEntryResponse {
  @ResponseField.integer({ description: 'Entries of an organization have consecutive positions.' })
  position!: number;

  @ResponseField.string({ enum: ENTRY_TYPES })
  type!: string;

  @ResponseField.integer({ description: 'Of the schema, which is at `/schemas/{type}.v{version}.json`.' })
  version!: number;

  @ResponseField.instant({ description: 'When the record changed.' })
  at!: string;

  @ResponseField.string({ description: 'The id of the record, or its UUID.' })
  record_id!: string;

  @ResponseField.object({ description: 'What the schema of the type says.' })
  data!: Record<string, unknown>;
}

export class FeedResponse {
  @ResponseField.list(FeedEntryResponse)
  entries!: FeedEntryResponse[];

  @ResponseField.integer({
    description: 'The position to continue after. There is more if it is below `newest`, also if no entry matched.',
  })
  next_after!: number;

  @ResponseField.integer({ description: 'The position of the newest entry; 0 before the first one.' })
  newest!: number;
}

export const presentEntry = ({ position, type, version, recordId, at, data }: Entry): FeedEntryResponse => ({
  position,
  type,
  version,
  at: at.toISOString(),
  record_id: recordId,
  data,
});

export const presentFeed = ({ entries, nextAfter, newest }: FeedPage): FeedResponse => ({
  entries: entries.map(presentEntry),
  next_after: nextAfter,
  newest,
});

/** As server-sent events. Without an entry, the browser's position is still moved past those that do not match. */
export const presentEvents = ({ entries, nextAfter }: FeedPage): string =>
  entries
    .map((entry) => `id: ${entry.position}\nevent: ${entry.type}\ndata: ${JSON.stringify(presentEntry(entry))}\n\n`)
    .join('') + `id: ${nextAfter}\n\n`;
