import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type AuditReport, AuditVerification, safeLine, timeOfAuditEntry } from '../../sdk/src';
import type { CommonFlags, Session } from './session';
import { EXIT, Problem } from './problem';

export interface AuditFlags extends CommonFlags {
  readonly key?: readonly string[];
  readonly evidenceKeys?: string;
  readonly from?: string;
  readonly until?: string;
}

/** Of each kind. --json has all. */
const SHOWN = 20;

/** Without a network. */
export async function verifyAudit(session: Session, files: readonly string[], flags: AuditFlags): Promise<number> {
  const { key: keys, evidenceKeys, from, until } = flags;
  const verification = new AuditVerification({
    ...(keys && { keys }),
    ...(evidenceKeys !== undefined && { evidenceKeys: JSON.parse(readFileSync(evidenceKeys, 'utf8')) as unknown }),
    ...(from !== undefined && { from: instant(from) }),
    ...(until !== undefined && { until: instant(until) }),
  });
  for (const file of files) await read(file, verification);
  const { problems, months } = verification.finish();
  if (problems.length === 0 && months.length === 0) throw new Problem('The files have no heads of an audit log.');
  for (const problem of problems) session.output.record({ problem }, () => `Not authentic. ${safeLine(problem)}`);
  for (const month of months) session.output.record(month, () => linesOf(month).join('\n'));
  const signers = [...verification.keys];
  session.output.record({ keys: signers }, () => `Signed by: ${signers.join(', ') || 'no key'}`);
  return problems.length === 0 && months.every(isClean) ? EXIT.success : EXIT.failed;
}

async function read(file: string, verification: AuditVerification): Promise<void> {
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      number++;
      verification.add(line);
    }
  } catch (error) {
    throw new Problem(`${file}, line ${number}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function instant(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Problem(`${text} is not a date such as 2026-11-30.`);
  return time;
}

const isClean = ({ removed, changed, added, problems }: AuditReport): boolean =>
  [removed, changed, added, problems].every((list) => list.length === 0);

function linesOf(report: AuditReport): string[] {
  const { organization, month, size, signed, uncovered, problems } = report;
  const listed = (['removed', 'changed', 'added'] as const).flatMap((kind) => {
    const ids = report[kind];
    const lines = ids.slice(0, SHOWN).map((id) => `  ${kind}: ${safeLine(id)}, ${timeOfAuditEntry(id).toISOString()}`);
    return ids.length > SHOWN ? [...lines, `  ${kind}: ${ids.length - SHOWN} more`] : lines;
  });
  return [
    `Organization ${organization}, ${month}: ${isClean(report) ? 'authentic' : 'not authentic'}, ${size} entries until ${signed.toISOString()}`,
    ...problems.map((problem) => `  ${problem}`),
    ...listed,
    ...(uncovered === 0 ? [] : [`  ${uncovered} newer entries are in no head yet`]),
  ];
}
