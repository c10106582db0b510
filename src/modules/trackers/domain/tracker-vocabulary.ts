export const TRACKER_KINDS = ['jira', 'github', 'gitlab'] as const;
export type TrackerKind = (typeof TRACKER_KINDS)[number];

/** What differs in the settings of each kind. */
export const TRACKER_LABELS = {
  jira: {
    label: 'Jira Cloud',
    address: 'https://example.atlassian.net',
    project: 'The key of the project, such as SEC.',
    pattern: /^[A-Z][A-Z0-9_]{1,20}$/,
    /** Of a ticket. */
    key: /^[A-Z][A-Z0-9_]{0,49}-\d{1,12}$/,
    /** Mail address and API token. */
    hasUser: true,
  },
  github: {
    label: 'GitHub',
    address: 'https://api.github.com',
    project: 'Owner and repository, such as example/shop.',
    pattern: /^(?!\.\.?\/)[\w.-]{1,100}\/(?!\.\.?$)[\w.-]{1,100}$/,
    key: /^#?\d{1,12}$/,
    hasUser: false,
  },
  gitlab: {
    label: 'GitLab',
    address: 'https://gitlab.com',
    project: 'The path of the project, such as group/shop.',
    pattern: /^(?!\.\.?\/)[\w.-]{1,100}(?:\/(?!\.\.?(?:\/|$))[\w.-]{1,100}){1,10}$/,
    key: /^#?\d{1,12}$/,
    hasUser: false,
  },
} as const;

/** What of a finding a ticket has only if an admin turns it on. */
export const TICKET_DETAILS = ['asset', 'description'] as const;
export type TicketDetail = (typeof TICKET_DETAILS)[number];

/** What happens with the ticket of a finding that is found again after its fix. */
export const REGRESSION_RULES = ['reopen', 'new'] as const;
export type RegressionRule = (typeof REGRESSION_RULES)[number];

/** Why a tracker is paused, with what to do. */
export const TRACKER_PAUSES = {
  admin: 'An admin has paused it.',
  untested: 'Its settings were not tested since they changed. Test it, then resume it.',
  public:
    'Everybody can read its project, and tickets say where you are vulnerable. Make the project private, test the tracker, then resume it.',
  gone: 'Its server has answered 410 Gone. Correct its address, test it, then resume it.',
  failing:
    'Its server has accepted nothing for 3 days. Correct its settings or its credentials, test it, then resume it.',
  maker_left:
    'The user who last saved it is no longer an admin of the organization. Another admin resumes it to take it over.',
} as const;
export type TrackerPause = keyof typeof TRACKER_PAUSES;

export const trackerKind = {
  noun: 'tracker',
  pauses: TRACKER_PAUSES,
  meanwhile: 'No ticket is opened or changed meanwhile. Resumed, it continues where it stopped.',
  advice: 'Delete one that is not needed.',
} as const;

export const TRACKER_WORK = 'tracker.turn';
