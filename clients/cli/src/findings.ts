import { text as textOf } from 'node:stream/consumers';
import { dataOf, pages, safeLine, safeLines, type Schemas, waitForRetest } from '../../sdk/src';
import { EXIT, Problem } from './problem';
import type { CommonFlags, Session } from './session';

type Finding = Schemas['FindingResponse'];

export interface ListFlags extends CommonFlags {
  readonly status?: string;
  readonly asset?: number;
  readonly check?: string;
  readonly label?: string;
  readonly query?: string;
  readonly overdue?: boolean;
  readonly limit?: number;
}

const STATUSES =
  'open accepted in_progress ready_for_retest resolved risk_accepted false_positive duplicate informative out_of_scope'.split(
    ' ',
  );
const RISK_ACCEPTED = 6;
const LIMIT = 50;

/** A number that a later version of the service has is shown as it is. */
const statusName = (status: number): string => STATUSES[status - 1] ?? String(status);

export async function findings(session: Session, flags: ListFlags): Promise<void> {
  const client = session.client();
  const status = flags.status === undefined ? undefined : STATUSES.indexOf(flags.status) + 1;
  if (status === 0) throw new Problem(`${flags.status} is not a status.`, `Statuses: ${STATUSES.join(', ')}.`);
  const { asset, check, label, query: q, overdue, limit = LIMIT } = flags;
  const query = { status, severity: flags.severity, asset_id: asset, check, label, q, overdue } as never;
  const path = { organization_id: await session.organization(client) };
  const list = pages(client, '/v1/organizations/{organization_id}/findings/', { path, query });
  const { rows, hasMore } = await firstOf(list, limit);
  session.output.table<Finding>(rows, {
    ID: (one) => one.id,
    SEVERITY: (one) => one.severity,
    STATUS: (one) => statusName(one.status),
    BELIEF: (one) => one.belief?.value,
    FINDING: (one) => one.title,
    ASSET: (one) => one.asset_value,
    DUE: (one) => one.due_date,
  });
  if (rows.length === 0) session.output.say('No findings.');
  if (hasMore) session.output.say(`The first ${limit}. More: --limit ${limit * 10}`);
}

export async function firstOf<Row>(
  list: AsyncIterable<Row>,
  limit: number,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows: Row[] = [];
  for await (const row of list) {
    if (rows.length === limit) return { rows, hasMore: true };
    rows.push(row);
  }
  return { rows, hasMore: false };
}

export async function show(session: Session, id: number): Promise<void> {
  const client = session.client();
  const answer = await dataOf(client.GET('/v1/findings/{finding_id}/', { params: { path: { finding_id: id } } }));
  const [finding] = answer.findings;
  if (finding === undefined) throw new Problem(`There is no finding ${id}.`);
  const { output } = session;
  output.record(finding, () => {
    const facts: Record<string, unknown> = {
      Severity: output.colored(safeLine(finding.severity), finding.severity),
      Status: statusName(finding.status),
      Belief: finding.belief?.value,
      Verification: [finding.verification?.result, finding.verification?.reason].filter(Boolean).join(': '),
      Asset: `${finding.asset_value} (${finding.asset_id})`,
      Score: finding.score,
      CVE: finding.cve,
      CWE: finding.cwe,
      Due: finding.due_date,
      Labels: finding.labels?.join(', '),
      Created: finding.created,
    };
    const lines = Object.entries(facts)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      // A color of ours is the only control sequence.
      .map(([name, value]) => `${`${name}:`.padEnd(14)}${name === 'Severity' ? String(value) : safeLine(value)}`);
    return [`${finding.id}  ${safeLine(finding.title)}`, '', ...lines, '', safeLines(finding.md).trim()].join('\n');
  });
  output.say(`Next: assay retest ${id} --wait, assay comment ${id} "…", assay open ${id}`);
}

export async function retest(
  session: Session,
  id: number,
  { wait, timeout }: CommonFlags & { wait?: boolean; timeout?: number },
): Promise<number> {
  const client = session.client();
  const path = { finding_id: id };
  const { output, signal } = session;
  const started = await dataOf(client.POST('/v1/findings/{finding_id}/retest/', { params: { path } }));
  if (wait !== true) {
    output.record(started, () => started.uuid);
    output.say(`The retest waits for its turn. Next: assay retest ${id} --wait`);
    return EXIT.success;
  }
  const waited = await waitForRetest(client, id, {
    signal,
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    onState: ({ status }) => output.progress(`Retest of finding ${id}: ${safeLine(status)}`),
  });
  output.stopProgress();
  if (!waited.ended) {
    if (output.json) output.record({ ...waited.state, result: null }, () => '');
    output.say(`assay: Stopped waiting. The retest goes on and has no result yet. Follow it: assay show ${id}`);
    return EXIT.inconclusive;
  }
  const { result, status, reason, next_step: next } = waited.state;
  output.record(
    waited.state,
    () => `${output.colored(safeLine(result ?? status), result ?? status)}: ${safeLine(reason)}`,
  );
  if (next !== null && next !== undefined) output.say(`Next: ${safeLine(next)}`);
  if (result === 'fixed') return EXIT.success;
  return result === 'still_vulnerable' ? EXIT.failed : EXIT.inconclusive;
}

export async function accept(
  session: Session,
  id: number,
  { until, comment }: { until?: string; comment?: string },
): Promise<void> {
  const body = { status: RISK_ACCEPTED, until, comment } as never;
  const options = { params: { path: { finding_id: id } }, body };
  const answer = await dataOf(session.client().POST('/v1/findings/{finding_id}/status', options));
  if (session.output.json) session.output.record(answer, () => '');
  session.output.say(`The risk of finding ${id} is accepted${until === undefined ? '' : ` until ${until}`}.`);
}

/** To a user by id or address, to oneself (`me`), or to nobody (`none`). */
export async function assign(session: Session, id: number, user: string): Promise<void> {
  const client = session.client();
  const assignee = await userOf(session, user);
  const options = { params: { path: { finding_id: id } }, body: { assignee_id: assignee } as never };
  const answer = await dataOf(client.PATCH('/v1/findings/{finding_id}/', options));
  if (session.output.json) session.output.record(answer.findings[0], () => '');
  session.output.say(
    assignee === null ? `Finding ${id} is assigned to nobody.` : `Finding ${id} is assigned to ${safeLine(user)}.`,
  );
}

async function userOf(session: Session, user: string): Promise<number | null> {
  if (user === 'none') return null;
  if (/^\d+$/.test(user)) return Number(user);
  const client = session.client();
  if (user === 'me') return (await dataOf(client.GET('/v1/me'))).user.id;
  const path = { organization_id: await session.organization(client) };
  for await (const member of pages(client, '/v1/organizations/{organization_id}/members/', { path })) {
    const { email, user_id: id } = member as unknown as { readonly email: string; readonly user_id: number };
    if (email.toLowerCase() === user.toLowerCase()) return id;
  }
  throw new Problem(`No member of the organization has the address ${user}.`, 'Use an id, an address, me or none.');
}

export async function comment(session: Session, id: number, words: readonly string[]): Promise<void> {
  const { stdin } = session.terminal;
  const isPiped = words.length === 0 || words.join('') === '-';
  if (isPiped && stdin.isTTY === true) throw new Problem('The comment is empty.', `assay comment ${id} "Text"`);
  const body = { comment: isPiped ? await textOf(stdin) : words.join(' ') };
  const options = { params: { path: { finding_id: id } }, body };
  const answer = await dataOf(session.client().POST('/v1/findings/{finding_id}/comments/', options));
  if (session.output.json) session.output.record(answer, () => '');
  session.output.say(`Finding ${id} has the comment.`);
}
