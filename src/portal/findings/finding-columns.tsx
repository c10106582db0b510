import { SEVERITIES } from '../../kernel/severity';
import type { Finding, FindingStatus } from '../../modules/findings';
import type { RetestSummary } from '../../modules/retests';
import { resultOf, SeverityBadge, statusLabel, VerdictBadge } from '../frame/badges';
import type { Column } from '../frame/table';
import { Time } from '../frame/time';
import { findingUrl } from '../urls';
import { VERIFICATIONS } from './finding-verdict';

/** What every list of findings shows of each. */
export interface ListedFinding {
  readonly id: number;
  readonly title: string;
  readonly severity: number;
}

/** With what its tests have shown. */
type TestedFinding = ListedFinding & Pick<Finding, 'verification' | 'verifiedAt'>;

/** The columns that lists of findings have in common. */
export const severityColumn: Column<ListedFinding> = {
  label: 'Severity',
  class: 'nowrap',
  cell: ({ severity }) => <SeverityBadge severity={SEVERITIES[severity] ?? 'none'} />,
};

export const titleColumn = (organizationId: number): Column<ListedFinding> => ({
  label: 'Finding',
  class: 'main wide',
  dir: 'auto',
  cell: ({ id, title }) => <a href={findingUrl(organizationId, id)}>{title}</a>,
});

export const statusColumn: Column<{ readonly status: FindingStatus }> = {
  label: 'Status',
  class: 'nowrap',
  cell: ({ status }) => statusLabel(status),
};

export const lastRetestColumn = (lastRetests: ReadonlyMap<number, RetestSummary>): Column<TestedFinding> => ({
  label: 'Last retest',
  class: 'nowrap',
  cell: ({ id, verification, verifiedAt }) => {
    const retest = lastRetests.get(id);
    if (retest === undefined && verification === 'untested') return <span class="muted">Not retested</span>;
    const at = retest === undefined ? verifiedAt : (retest.finished ?? retest.created);
    return (
      <>
        <VerdictBadge verdict={retest === undefined ? VERIFICATIONS[verification] : resultOf(retest)} />
        <span class="second muted">{at !== null && <Time at={at} to="day" />}</span>
      </>
    );
  },
});
