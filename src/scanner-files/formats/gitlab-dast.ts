import { refusedRow, scannedRowOf } from '../raw-finding';
import { seenIn } from '../http-message';
import { splitJson, type JsonPlan } from '../json-splitter';
import { isObject, joined, type JsonObject, listOf, objectOf, textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfWord, unknownSeverity } from '../severity-mapping';
import { UnreadableFileError } from '../unreadable-file-error';

const reportPlan: JsonPlan = {
  enter: 'report',
  keys: {
    scan: { enter: 'scan', keys: { scanner: { enter: 'scanner', keys: { name: { take: 'scanner-name' } } } } },
    vulnerabilities: { enter: 'vulnerabilities', elements: { take: 'vulnerability' } },
  },
};

/** Types of identifiers that name a weakness or a vulnerability, not a rule of the tool. */
const PUBLIC_TYPES = /^(?:cwe|cve|owasp|wasc)$/i;
/** Assay writes the asset into an identifier of its own results, because GitLab ignores the host. */
const OWN_TYPE = 'assay_check';

/** A DAST report of GitLab, which many tools write. */
export async function* readGitlabDast(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  let scanner: string | null = null;
  let hasVulnerabilities = false;
  for await (const event of splitJson(text, reportPlan)) {
    if (event.kind === 'opened' && event.name === 'vulnerabilities') hasVulnerabilities = true;
    else if (event.kind === 'refused') yield refusedRow(event.line, event.reason);
    else if (event.kind === 'value' && event.name === 'scanner-name') scanner = textOf(event.value);
    else if (event.kind === 'value') yield rowOfVulnerability(event.line, event.value, scanner);
  }
  if (!hasVulnerabilities)
    throw new UnreadableFileError(1, 'The file has no vulnerabilities, so it is not of this format.');
}

function rowOfVulnerability(line: number, value: unknown, scanner: string | null): ScannedRow {
  if (!isObject(value)) return refusedRow(line, 'It is not a JSON object.');
  const flags = listOf(value['flags']).map((flag) => textOf(objectOf(flag)['type']));
  if (flags.includes('flagged-as-likely-false-positive'))
    return refusedRow(line, 'It is flagged as a likely false positive.');
  const severity = severityOfWord(textOf(value['severity']));
  if (severity === null) return refusedRow(line, unknownSeverity(textOf(value['severity'])));
  const field = (name: string) => textOf(value[name]);
  const identifiers = listOf(value['identifiers']).map(objectOf);
  const rule = identifiers.find(({ type }) => !PUBLIC_TYPES.test(textOf(type) ?? '')) ?? identifiers[0];
  const title = field('name') ?? field('message') ?? textOf(rule?.['name']);
  const location = objectOf(value['location']);
  const evidence = objectOf(value['evidence']);
  const [request, response] = [messageOf(evidence['request']), messageOf(evidence['response'])];
  return scannedRowOf({
    line,
    scanner: scanner ?? textOf(objectOf(value['scanner'])['name']) ?? 'gitlab dast',
    ruleId: textOf(rule?.['value']) ?? title,
    title,
    severity,
    description: field('description'),
    remediation: field('solution'),
    target: targetOf(location),
    cwe: identifiers.map(({ type, value: id }) => (/^cwe$/i.test(textOf(type) ?? '') ? id : null)),
    cves: identifiers.flatMap(({ name, value: id }) => [name, id]),
    references: [...listOf(value['links']), ...identifiers].map((link) => objectOf(link)['url']),
    cvssVectors: listOf(value['cvss_vectors']).map((one) => objectOf(one)['vector']),
    evidence: joined([textOf(evidence['summary']), request, response]),
    parameter: rule?.['type'] === OWN_TYPE ? null : textOf(location['param']),
    seenAt: value['discovered_at'],
    seen: seenIn(
      request,
      response && `HTTP/1.1 ${response}\n\n${textOf(objectOf(evidence['response'])['body']) ?? ''}`,
    ),
  });
}

/** `hostname` is an origin in the files of most tools, or a name. */
function targetOf(location: JsonObject): string | null {
  const host = textOf(location['hostname']);
  const path = textOf(location['path']) ?? '';
  return host === null || !/^https?:\/\//i.test(host) ? host : `${host.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
}

/** The first line and the headers of a request or a response in HTTP syntax. */
function messageOf(value: unknown): string | null {
  if (!isObject(value)) return null;
  const parts = ['method', 'url', 'status_code', 'reason_phrase'].map((name) => textOf(value[name]));
  const headers = listOf(value['headers']).map((header) => {
    const { name, value: content } = objectOf(header);
    return `${textOf(name) ?? ''}: ${textOf(content) ?? ''}`;
  });
  return joined([parts.filter((part) => part !== null).join(' '), ...headers], '\n');
}
