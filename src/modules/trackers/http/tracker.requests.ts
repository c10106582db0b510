import { isRecord } from '../../../kernel/is-record';
import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { stated } from '../../../kernel/stated';
import { MAX_URL_LENGTH } from '../../../kernel/web-url';
import { isLine } from '../../../kernel/plain-text';
import { field, Flag, Integer, ListOf, Name, OneOf, passes, SingleLineText, Text } from '../../../platform/http/fields';
import { DESTINATION_STATES, type DestinationState, FeedRuleRequest } from '../../feed';
import {
  REGRESSION_RULES,
  type RegressionRule,
  TICKET_DETAILS,
  type TicketDetail,
  TRACKER_KINDS,
  TRACKER_LABELS,
  type TrackerKind,
} from '../domain/tracker-vocabulary';
import type { TrackerChange, TrackerDraft } from '../trackers.service';

export const MAX_DAILY = 500;
const MAX_NAME = 100;
const MAX_NAMES = 20;
const MAX_TOKEN = 4_096;

export const trackerDefaults = {
  issueType: 'Task',
  dailyLimit: 50,
  wontDo: ["won't do", "won't fix", 'rejected', 'declined', 'duplicate'],
} as const;

const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME && isLine(value);

const isPriorities = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).every(([severity, name]) => SEVERITIES.some((one) => one === severity) && isName(name));

const Names = (description: string, fallback: readonly string[]): PropertyDecorator =>
  ListOf(
    {
      check: isName,
      sentence: 'is a name',
      items: { type: 'string', minLength: 1, maxLength: MAX_NAME },
      unique: true,
    },
    0,
    MAX_NAMES,
    { optional: true, description, default: fallback },
  );

class TrackerSettingsRequest extends FeedRuleRequest {
  @SingleLineText(MAX_URL_LENGTH, {
    optional: true,
    description:
      'Of Jira and of GitLab the address that people open, of GitHub that of the API. Another one empties the credentials.',
    example: 'https://example.atlassian.net',
  })
  address?: string;

  @SingleLineText(300, {
    optional: true,
    description: 'A key such as SEC in Jira, owner/repository, or group/project.',
  })
  project?: string;

  @SingleLineText(MAX_NAME, { optional: true, description: 'In Jira.', default: trackerDefaults.issueType })
  issue_type?: string;

  @SingleLineText(320, {
    optional: true,
    description: 'In Jira, the mail address of the account. It is never shown again.',
  })
  user?: string;

  @Text(1, MAX_TOKEN, { optional: true, description: 'The API token of the account. It is never shown again.' })
  token?: string;

  @Text(16, MAX_TOKEN, {
    optional: true,
    description: 'With which the tracker signs what it sends to `hook_path`. It is never shown again.',
  })
  hook_secret?: string;

  @Flag({
    optional: true,
    description: 'Whether open findings that match the filter get a ticket by themselves.',
    default: false,
  })
  automatic?: boolean;

  @field(
    {
      validators: [passes(isPriorities)],
      sentence: 'must be an object with names of severities and of priorities',
      schema: { type: 'object', additionalProperties: { type: 'string', maxLength: MAX_NAME } },
    },
    {
      optional: true,
      description: 'The priority in Jira, or the label elsewhere, for each severity.',
      example: { critical: 'Highest', high: 'High' },
    },
  )
  priorities?: Partial<Record<Severity, string>>;

  @Names('Labels of each ticket, beside `assay`.', [])
  ticket_labels?: string[];

  @SingleLineText(MAX_NAME, { nullable: true, description: 'A component in Jira, or a further label elsewhere.' })
  component?: string | null;

  @SingleLineText(MAX_NAME, {
    nullable: true,
    description: 'To whom tickets are assigned: an account id in Jira, a login in GitHub, a user id in GitLab.',
  })
  assignee?: string | null;

  @ListOf(
    {
      check: (value) => TICKET_DETAILS.some((one) => one === value),
      sentence: 'is asset or description',
      items: { type: 'string', enum: [...TICKET_DETAILS] },
      unique: true,
    },
    0,
    TICKET_DETAILS.length,
    { optional: true, description: 'What tickets show of a finding beside its title.', default: [] },
  )
  details?: TicketDetail[];

  @Names(
    'Names of statuses in Jira, and of labels elsewhere: a ticket that is closed with one of them is not to be fixed.',
    trackerDefaults.wontDo,
  )
  wont_do?: string[];

  @OneOf(REGRESSION_RULES, {
    optional: true,
    description: 'What happens with the ticket of a finding that is found again.',
    default: 'reopen',
  })
  regression?: RegressionRule;

  @Integer(1, MAX_DAILY, {
    optional: true,
    description: 'The most tickets of a day.',
    default: trackerDefaults.dailyLimit,
  })
  daily_limit?: number;
}

export class CreateTrackerRequest extends TrackerSettingsRequest {
  @Name()
  name!: string;

  @OneOf(TRACKER_KINDS)
  kind!: TrackerKind;
}

export class ChangeTrackerRequest extends TrackerSettingsRequest {
  @Name(200, { optional: true })
  name?: string;

  @OneOf(DESTINATION_STATES, {
    optional: true,
    description: 'A tracker becomes active when a test has succeeded since its settings changed.',
  })
  state?: DestinationState;
}

const settingsOf = (body: TrackerSettingsRequest) =>
  stated({
    address: body.address,
    project: body.project,
    issueType: body.issue_type,
    user: body.user,
    token: body.token,
    hookSecret: body.hook_secret,
    automatic: body.automatic,
    priorities: body.priorities,
    ticketLabels: body.ticket_labels,
    component: body.component,
    assignee: body.assignee,
    details: body.details,
    wontDo: body.wont_do?.map((name) => name.toLowerCase()),
    regression: body.regression,
    dailyLimit: body.daily_limit,
  });

export const draftOf = (body: CreateTrackerRequest): TrackerDraft => ({
  name: body.name,
  kind: body.kind,
  address: TRACKER_LABELS[body.kind].address,
  project: '',
  issueType: trackerDefaults.issueType,
  automatic: false,
  priorities: {},
  ticketLabels: [],
  component: null,
  assignee: null,
  details: [],
  wontDo: [...trackerDefaults.wontDo],
  regression: 'reopen',
  dailyLimit: trackerDefaults.dailyLimit,
  ...body.rule,
  ...settingsOf(body),
});

/** Omitted fields do not change. */
export const changeOf = (body: ChangeTrackerRequest): TrackerChange => ({
  ...stated({ name: body.name, state: body.state }),
  ...body.ruleChange,
  ...settingsOf(body),
});
