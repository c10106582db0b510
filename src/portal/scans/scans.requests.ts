import { Flag, Id, SingleLineText, TextWithRule } from '../../platform/http/fields';
import { PageQueryOf } from '../../platform/http/page-query';
import { requireLaunchUrl } from '../../modules/jobs';

/** Each scan of the page has its answer for pipelines, which reads its findings. */
export class ScansQuery extends PageQueryOf(10) {
  /** Only those of the last days that failed. */
  @Flag({ optional: true })
  failed?: boolean;
}

export class ScanForm {
  @TextWithRule(requireLaunchUrl, { format: 'uri', maxLength: 2048 })
  url!: string;

  @Id({ nullable: true })
  beacon_id?: number | null;

  @SingleLineText(2_000, { nullable: true })
  checks?: string | null;

  /** Null if none are stated. */
  get selectedChecks(): string[] | null {
    const entries = (this.checks ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
    return entries.length === 0 ? null : [...new Set(entries)];
  }
}
