import { capitalized } from '../../../kernel/capitalized';
import type { SnapshotRetest } from '../domain/snapshot-parts';
import { withSpaces } from './text-format';

/**
 * A comment of the history. The id of a retest says nothing to readers, and the reason is omitted if the retest is listed with
 * the finding.
 */
export const historyText = (comment: string, listed: readonly Pick<SnapshotRetest, 'uuid'>[] = []): string => {
  const automatic = /^Retest ([0-9a-f-]{36}): (?:(\w+)\. )?(.*)$/su.exec(comment);
  if (automatic === null) return comment;
  const [, uuid, result, reason = ''] = automatic;
  if (result === undefined) return `Retest: ${reason}`;
  const isListed = listed.some((retest) => retest.uuid === uuid);
  return `Retest: ${withSpaces(result)}.${isListed ? '' : ` ${capitalized(reason)}`}`;
};
