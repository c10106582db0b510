import { readFileSync } from 'node:fs';
import {
  type Attestation,
  type AttestedSubject,
  type Authenticity,
  dataOf,
  isEnvelope,
  safeLine,
  verifyAttestation,
  verifyEvidence,
} from '../../sdk/src';
import { openInBrowser } from './browser';
import { portalOf } from './login';
import { EXIT, Problem } from './problem';
import type { Session } from './session';

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Problem(`${file} cannot be read.`);
  }
}

/** Without a network if the keys are in a file. */
export async function verify(session: Session, file: string, keys: string | undefined): Promise<number> {
  const { output } = session;
  const document = readText(file);
  const listed =
    keys === undefined ? JSON.stringify(await dataOf(session.client().GET('/v1/evidence-keys'))) : readText(keys);
  const authenticity: Attestation | Authenticity = (isEnvelope(document) ? verifyAttestation : verifyEvidence)(
    document,
    listed,
  );
  if (!authenticity.authentic) {
    output.record(authenticity, () => `Not authentic. ${safeLine(authenticity.reason)}`);
    return EXIT.failed;
  }
  output.record(authenticity, () =>
    [
      'Authentic: the evidence has not changed since it was signed. Signed statement:',
      '',
      ...(isOfJob(authenticity) ? jobLines(authenticity.evidence) : retestLines(authenticity.evidence)),
      `Key:      ${authenticity.key}`,
      ...subjectLines(authenticity),
    ].join('\n'),
  );
  return EXIT.success;
}

const isOfJob = ({ evidence }: Authentic): boolean => evidence['observed'] !== undefined;

function retestLines(evidence: Fields): string[] {
  const { subject, check, target, verdict, signed } = evidence as Record<string, Fields>;
  return [
    `Retest:   ${safeLine(subject?.['retest'])}`,
    `Finding:  ${safeLine(subject?.['finding'])}`,
    `Check:    ${safeLine(check?.['id'])} (${safeLine(check?.['title'])})`,
    `Target:   ${safeLine(target)}`,
    // A statement about two accounts has no reason, because it would name them.
    `Verdict:  ${[verdict?.['result'], verdict?.['reason'] ?? []].flat().map(safeLine).join(': ')}`,
    `Signed:   ${safeLine(signed)}`,
  ];
}

/** The tests of a job, or a gate that has passed with a policy. */
function jobLines({ observed, result, failedTests, warnedTests, verifier, timeCreated, accepted }: Fields): string[] {
  const { job, url, finished } = observed as Fields;
  const count = (list: unknown): number => (list as readonly unknown[]).length;
  const [policy] = ((verifier as Fields | undefined)?.['policies'] ?? []) as readonly Fields[];
  return [
    `Scan:     ${safeLine(job)}`,
    `Target:   ${safeLine(url)}`,
    `Finished: ${safeLine(finished)}`,
    policy === undefined
      ? `Result:   ${safeLine(result)}, ${count(failedTests)} failed, ${count(warnedTests)} inconclusive or blocked`
      : `Gate:     passed at ${safeLine(timeCreated)} with ${safeLine(policy['uri'])}`,
    ...((accepted ?? []) as readonly Fields[]).map(acceptedLine),
  ];
}

function acceptedLine({ check, asset, label, until }: Fields): string {
  const more = label === '' ? ' and all other assets' : ` and all assets with the label ${safeLine(label)}`;
  return `Accepted: ${safeLine(check)} on ${safeLine(asset)}${label === null ? '' : more} until ${safeLine(until)}`;
}

type Fields = Readonly<Record<string, unknown>>;

interface Authentic {
  readonly authentic: true;
  readonly evidence: Fields;
  readonly subject?: AttestedSubject;
  readonly statedByCaller?: string | null;
}

/** Only an envelope has a subject. */
function subjectLines(authentic: Authentic): string[] {
  const { subject, statedByCaller = null } = authentic;
  if (subject === undefined) return [];
  return [
    `Subject:  ${safeLine(subject.uri)} sha256:${subject.sha256}`,
    `          This is weak: a URL and the digest of ${isOfJob(authentic) ? 'the result of a scan' : 'one response'} do not identify what was deployed.`,
    ...(statedByCaller === null ? [] : [`Image:    ${statedByCaller}, stated by a caller and not verified`]),
  ];
}

/** Opens a page of the portal, or prints its address where nobody sees a browser. */
export async function open(session: Session, words: readonly string[]): Promise<void> {
  const { settings, output } = session;
  if (settings.url === undefined)
    throw new Problem('No address of a service is known.', 'assay login, or set ASSAY_URL');
  const portal = await portalOf(session.fetch(), settings.url);
  if (portal === undefined) throw new Problem(`${settings.url} names no portal.`);
  const url = `${portal}${await pathOf(session, words)}`;
  output.record({ url }, () => url);
  if (session.isInteractive) openInBrowser(session, url);
}

async function pathOf(session: Session, words: readonly string[]): Promise<string> {
  const [kind = '', named = kind] = words;
  if (kind === 'keys') return '/settings/api';
  const home = `/o/${await session.organization(session.client())}`;
  if (kind === '') return home;
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(named)) return `${home}/scans/${named}`;
  if (/^\d+$/.test(named)) return `${home}/${kind === 'asset' ? 'assets' : 'findings'}/${named}`;
  throw new Problem(
    `${words.join(' ')} is not a finding, scan or asset.`,
    'assay open 42, assay open asset 7, assay open UUID, assay open keys',
  );
}
