import { type DomainError, unprocessable } from '../../kernel/domain-error';

const PREFIX = 'limit_';
const MEBIBYTE = 1_024 * 1_024;

const UNDO = 'Undo imports that you no longer need.';
const OPERATOR = 'Ask the operator of the service for more.';

/** What the rows of a table are called, and what to do when an organization has the most of them. */
const TEXTS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  memberships: ['members', 'Remove one first.'],
  provisioned_members: ['provisioned members, with removed ones', 'Delete those of the identity provider over SCIM.'],
  invitations: ['invitations of the last weeks', 'They are removed 30 days after they have expired.'],
  idempotency_keys: [
    'stored responses of the last 24 hours',
    'Send this request without an Idempotency-Key, or later.',
  ],
  assets: ['assets', 'Delete one first.'],
  accepted_checks: ['accepted checks', 'Remove one first.'],
  domains: ['domains', 'Delete one first.'],
  events: ['events', OPERATOR],
  event_scope: ['assets in the scopes of its events', 'Remove one first.'],
  observed_hosts: ['observed hosts', OPERATOR],
  observed_ports: ['observed ports', OPERATOR],
  active_pages: ['pages that active jobs have found', OPERATOR],
  active_points: ['insertion points that active jobs have found', OPERATOR],
  findings: ['findings', UNDO],
  event_findings: ['findings in its events', UNDO],
  finding_history: ['entries in the history of its findings', 'The operator of the service can archive old ones.'],
  finding_sightings: ['sightings of its findings', UNDO],
  finding_attachment_chunks: ['bytes of files attached to its findings', 'Delete some of them first.'],
  retests: ['retests', OPERATOR],
  jobs: ['jobs', OPERATOR],
  reports: ['reports', OPERATOR],
  imports: ['imports', OPERATOR],
  webhook_deliveries: ['messages to its webhooks', 'They are removed after 30 days. Narrow the filters of webhooks.'],
  import_proposals: ['checks that its imports carry', UNDO],
  import_rows: ['rows of imports that have not ended', 'Import the file again when the others have ended.'],
};

/** The names of all limits of rows. */
export const LIMITED_TABLES = Object.keys(TEXTS);

/** The error for a limit of `stored_limits`, by the constraint that its trigger names; undefined for another constraint. */
export function storedLimitError({
  constraint = '',
  detail = '',
}: {
  constraint?: string;
  detail?: string;
}): DomainError | undefined {
  if (!constraint.startsWith(PREFIX)) return undefined;
  const most = Number(detail);
  if (constraint === `${PREFIX}bytes`)
    return unprocessable(
      `This organization stores ${(most / MEBIBYTE).toLocaleString('en')} MiB, which is the limit. ${UNDO} Or ask the operator of the service for more.`,
    );
  const [what, remedy] = TEXTS[constraint.slice(PREFIX.length)] ?? ['rows', OPERATOR];
  return unprocessable(`This organization has ${most.toLocaleString('en')} ${what}, which is the limit. ${remedy}`);
}
