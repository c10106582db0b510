import { SEVERITIES, type Severity, severityNumber } from '../../../kernel/severity';
import { Flag, Integer, OneOf, SingleLineText } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import type { CheckFilter } from '../data/library.repository';
import { CHECK_SOURCES, type CheckSource } from '../domain/listed-check';

export class ListChecksQuery extends PageQuery {
  @OneOf(CHECK_SOURCES, { optional: true, description: 'Only built-in checks, or only loaded templates.' })
  source?: CheckSource;

  @OneOf(SEVERITIES, { optional: true, description: 'Only checks of at least this severity.' })
  severity?: Severity;

  @SingleLineText(50, {
    optional: true,
    description: 'Only checks with this tag, whatever its case. All built-in checks have the tag built-in.',
  })
  tag?: string;

  @Integer(1, 99_999, { optional: true, description: 'Only checks with this CWE.' })
  cwe?: number;

  @Flag({ optional: true, description: 'With `true` only checks that jobs run, with `false` only the others.' })
  runs_in_jobs?: boolean;

  @SingleLineText(200, { optional: true, description: 'A substring of the id or title, case-insensitive.' })
  q?: string;

  get filter(): CheckFilter {
    return {
      source: this.source,
      minSeverity: this.severity && severityNumber(this.severity),
      tag: this.tag?.toLowerCase(),
      cwe: this.cwe,
      runsInJobs: this.runs_in_jobs,
      searchText: this.q,
    };
  }
}

export class ReadCheckQuery {
  @Integer(1, 2_147_483_647, {
    optional: true,
    description: 'An earlier version of a loaded template; by default the current one.',
  })
  version?: number;
}
