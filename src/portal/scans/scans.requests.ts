import { Flag, Id, SingleLineText, Text, TextWithRule, Uuid } from '../../platform/http/fields';
import { PageQueryOf } from '../../platform/http/page-query';
import type { TestDepth } from '../../kernel/test-depth';
import { Depth, requireLaunchUrl } from '../../modules/jobs';
import { AccountIds } from './account-choices';

/** A form with a file is not larger. */
const MAX_TEXT_LENGTH = 200_000;

/** Each scan of the page has its answer for pipelines, which reads its findings. */
export class ScansQuery extends PageQueryOf(10) {
  /** Only those of the last days that failed. */
  @Flag({ optional: true })
  failed?: boolean;

  /** What the form has at first, and what is typed so far. */
  @Text(0, 2_048, { optional: true })
  url?: string;

  @Id({ optional: true })
  beacon_id?: number;

  @Text(0, 200, { optional: true })
  event_slug?: string;
}

export class ScanForm {
  @TextWithRule(requireLaunchUrl, { format: 'uri', maxLength: 2048 })
  url!: string;

  @Id({ nullable: true })
  beacon_id?: number | null;

  @Text(0, 200, { nullable: true })
  event_slug?: string | null;

  @SingleLineText(2_000, { nullable: true })
  checks?: string | null;

  @Depth()
  depth?: TestDepth | null;

  @AccountIds()
  accounts?: number[] | null;

  /** One in each line. */
  @Text(0, MAX_TEXT_LENGTH, { nullable: true })
  urls?: string | null;

  get seedUrls(): string[] {
    return (this.urls ?? '').split(/\s+/).filter((url) => url !== '');
  }

  /** Null if none are stated. */
  get selectedChecks(): string[] | null {
    const entries = (this.checks ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
    return entries.length === 0 ? null : [...new Set(entries)];
  }
}

export class ScanAgainForm {
  /** For a scan of an event that does not run. */
  @Flag({ optional: true })
  without_event?: boolean;
}

export class CompareQuery {
  @Uuid({ optional: true })
  with?: string;
}
