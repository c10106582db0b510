import { invalid } from '../../kernel/domain-error';
import { isSeverity } from '../../kernel/severity';
import { MAX_URL_LENGTH } from '../../kernel/web-url';
import {
  MAX_DAILY,
  REGRESSION_RULES,
  type RegressionRule,
  type Tracker,
  TRACKER_KINDS,
  TRACKER_LABELS,
  type TrackerChange,
  trackerDefaults,
  type TrackerDraft,
  type TrackerKind,
} from '../../modules/trackers';
import { Flag, Integer, Name, OneOf, SingleLineText, Text, TextWithRule } from '../../platform/http/fields';
import { FilterForm } from '../destinations/destination-filter';

const MAX_TEXT = 2_000;
const MAX_NAMES = 20;

const namesIn = (text: string | null | undefined): string[] => [
  ...new Set(
    (text ?? '')
      .split(/[\n,]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

function checkedNames(text: string): string[] {
  const names = namesIn(text);
  if (names.length <= MAX_NAMES) return names;
  throw invalid(`It must be a list of at most ${MAX_NAMES} names.`);
}

/** Lines such as `critical = Highest`. */
function prioritiesIn(text: string): Tracker['priorities'] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [severity = '', name = ''] = line.split('=', 2).map((part) => part.trim());
      if (!isSeverity(severity.toLowerCase()) || name === '')
        throw invalid(`It must have lines such as "critical = Highest", and "${line.trim()}" is none.`);
      return [severity.toLowerCase(), name];
    }),
  );
}

export class TrackerForm extends FilterForm {
  @Name()
  name!: string;

  @OneOf(TRACKER_KINDS, { optional: true })
  kind?: TrackerKind;

  @SingleLineText(MAX_URL_LENGTH, { optional: true })
  address?: string;

  @SingleLineText(300)
  project!: string;

  @SingleLineText(100, { optional: true })
  issue_type?: string;

  @SingleLineText(320, { optional: true })
  user?: string;

  /** An empty field keeps it. */
  @Text(1, 4_096, { optional: true })
  token?: string;

  @Text(16, 4_096, { optional: true })
  hook_secret?: string;

  @Flag({ optional: true })
  automatic?: boolean;

  @TextWithRule(prioritiesIn, { maxLength: MAX_TEXT }, { nullable: true })
  priorities?: string | null;

  @TextWithRule(checkedNames, { maxLength: MAX_TEXT }, { nullable: true })
  ticket_labels?: string | null;

  @SingleLineText(100, { nullable: true })
  component?: string | null;

  @SingleLineText(100, { nullable: true })
  assignee?: string | null;

  @Flag({ optional: true })
  shows_asset?: boolean;

  @Flag({ optional: true })
  shows_description?: boolean;

  @TextWithRule(checkedNames, { maxLength: MAX_TEXT }, { nullable: true })
  wont_do?: string | null;

  @OneOf(REGRESSION_RULES)
  regression!: RegressionRule;

  @Integer(1, MAX_DAILY)
  daily_limit!: number;

  get change(): TrackerChange {
    const { user, token, hook_secret: hookSecret, address } = this;
    return {
      ...this.filter,
      name: this.name,
      project: this.project,
      issueType: this.issue_type ?? trackerDefaults.issueType,
      ...(address !== undefined && { address }),
      ...(user !== undefined && { user }),
      ...(token !== undefined && { token }),
      ...(hookSecret !== undefined && { hookSecret }),
      automatic: this.automatic ?? false,
      priorities: prioritiesIn(this.priorities ?? ''),
      ticketLabels: namesIn(this.ticket_labels),
      component: this.component ?? null,
      assignee: this.assignee ?? null,
      details: [
        ...(this.shows_asset === true ? (['asset'] as const) : []),
        ...(this.shows_description === true ? (['description'] as const) : []),
      ],
      wontDo: namesIn(this.wont_do).map((name) => name.toLowerCase()),
      regression: this.regression,
      dailyLimit: this.daily_limit,
    };
  }

  get draft(): TrackerDraft {
    const kind = this.kind ?? 'jira';
    const { address } = TRACKER_LABELS[kind];
    return { kind, address, statuses: [], eventIds: [], ...this.change } as TrackerDraft;
  }
}
