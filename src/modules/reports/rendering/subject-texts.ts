import { capitalized } from '../../../kernel/capitalized';
import type { ReportSnapshot, SnapshotJob } from '../domain/report-snapshot';
import { formatMoment, labelOf, withSpaces } from './text-format';

/** How a report names its subject. */
export interface SubjectTexts {
  /** The title. */
  readonly name: string;
  /** What kind of report it is, above the title. */
  readonly kind: string;
  /** In sentences: "of this event". */
  readonly noun: string;
  /** Identifies the subject for people and in requests. */
  readonly reference: string;
  /** Identifies reports that can be compared with each other, such as those of all jobs on one page. */
  readonly series: string;
  /** For the table about the document. */
  readonly facts: readonly (readonly [label: string, value: string])[];
}

const KINDS: Readonly<Record<string, string>> = {
  pentest: 'Penetration test report',
  red_team: 'Red team report',
  continuous: 'Continuous testing report',
};

const MAX_NAMED = 5;

function eventNames(events: ReportSnapshot['events']): string {
  if (events.length === 0) return 'None';
  const named = events.slice(0, MAX_NAMED).map(({ name, status }) => `${name} (${status})`);
  const rest = events.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

const gateText = ({ success, severity }: SnapshotJob['gate']): string =>
  success === null ? 'No result' : `${success ? 'Passed' : 'Failed'} at severity ${severity}`;

export function subjectTexts({ event, job, events, organization, scope }: ReportSnapshot): SubjectTexts {
  if (event !== null) {
    const { name, slug, type, category, dimension } = event;
    const words = [type, category, dimension].filter((word) => word !== null).map(labelOf);
    return {
      name,
      kind: KINDS[category] ?? `${capitalized(withSpaces(category))} report`,
      noun: 'event',
      reference: slug,
      series: slug,
      facts: [['Engagement', words.join(', ')]],
    };
  }
  if (job !== null) {
    const { origin, host, pathname } = new URL(job.url);
    const completed = job.tests.filter(({ outcome }) => outcome === 'vulnerable' || outcome === 'not_vulnerable');
    return {
      name: `${origin}${pathname}`,
      kind: 'Job report',
      noun: 'job',
      reference: job.uuid,
      series: `${host}${pathname}`.replace(/\/$/, ''),
      facts: [
        ['Started', job.started === null ? 'Never' : formatMoment(job.started)],
        ['Tests', `${completed.length} completed`],
        ['Pipeline', gateText(job.gate)],
        ...(job.beacon === null ? [] : [['Beacon', job.beacon.name] as const]),
      ],
    };
  }
  return {
    name: 'All assets and events',
    kind: 'Security report',
    noun: 'organization',
    reference: `organization-${organization.id}`,
    series: `organization-${organization.id}`,
    facts: [
      ['Assets', String(scope.in_scope.length)],
      ['Events', eventNames(events)],
    ],
  };
}
