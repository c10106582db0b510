import { ListAuditLogsQuery } from '../../modules/audit';
import type { Page } from '../../kernel/page';
import { OneOf } from '../../platform/http/fields';
import { EXPORT_FORMATS, type ExportFormat } from './audit-export';

const PER_PAGE = 50;

/** The filters as the API names them. */
export class AuditQuery extends ListAuditLogsQuery {
  override get slice(): Page {
    return { ...super.slice, perPage: this.per_page ?? PER_PAGE, isCounted: true };
  }
}

export class AuditExportQuery extends ListAuditLogsQuery {
  @OneOf(EXPORT_FORMATS, { optional: true })
  format: ExportFormat = 'csv';
}
