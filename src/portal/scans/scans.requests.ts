import { Id, TextWithRule } from '../../platform/http/fields';
import { PageQueryOf } from '../../platform/http/page-query';
import { requireLaunchUrl } from '../../modules/jobs';

/** Each scan of the page has its answer for pipelines, which reads its findings. */
export class ScansQuery extends PageQueryOf(10) {}

export class ScanForm {
  @TextWithRule(requireLaunchUrl, { format: 'uri', maxLength: 2048 })
  url!: string;

  @Id({ nullable: true })
  beacon_id?: number | null;
}
