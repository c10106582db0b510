import { htmlToText } from '../clean-text';
import { type RawFinding, refusedRow, scannedRowOf } from '../raw-finding';
import { decodeBase64, MAX_READ, seenIn, shownMessage } from '../http-message';
import { joined, textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfWord, unknownSeverity } from '../severity-mapping';
import { childText, childTexts, splitXml, type XmlElement } from '../split-xml';

const burpRecords = {
  opened: new Set<string>(),
  records: new Set(['issue']),
  ignored: new Set(['collaboratorEvent', 'infiltratorEvent', 'staticAnalysis', 'dynamicAnalysis']),
};

/** All issues of extensions have this type, so they are told apart by name. */
const TYPE_OF_EXTENSIONS = '134217728';

/** The issues of Burp Suite as XML. The file does not say which part of a response shows an issue, so none can be replayed. */
export async function* readBurpXml(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  for await (const event of splitXml(text, burpRecords)) {
    if (event.kind === 'refused') yield refusedRow(event.line, event.reason);
    else if (event.kind === 'record') yield rowOfIssue(event.element);
  }
}

function rowOfIssue(issue: XmlElement): ScannedRow {
  const { line } = issue;
  const field = (name: string) => textOf(childText(issue, name));
  const word = field('severity');
  if (word?.trim().toLowerCase() === 'false positive')
    return refusedRow(line, 'It is marked as a false positive in Burp.');
  const severity = severityOfWord(word);
  if (severity === null) return refusedRow(line, unknownSeverity(word));
  const html = (element: string) => htmlToText(childText(issue, element));
  const name = html('name');
  const items = childTexts(issue.children.find(({ name }) => name === 'issueDetailItems') ?? issue, 'issueDetailItem');
  const [request, response] = [messageOf(issue, 'request'), messageOf(issue, 'response')];
  const [, parameter = null] = /\[([^[\]]{1,200}) parameter\]\s*$/.exec(field('location') ?? '') ?? [];
  return scannedRowOf({
    line,
    scanner: 'burp',
    ...ruleOf(field('type')?.trim() ?? null, name),
    title: name,
    severity,
    description: joined([
      html('issueDetail'),
      items.map((item) => `- ${htmlToText(item)}`).join('\n'),
      html('issueBackground'),
    ]),
    remediation: joined([html('remediationDetail'), html('remediationBackground')]),
    address: issue.children.find((child) => child.name === 'host')?.attributes['ip'] ?? null,
    target: joined([field('host')?.trim(), field('path')?.trim()], ''),
    cwe: [childText(issue, 'vulnerabilityClassifications')],
    cves: [childText(issue, 'references'), childText(issue, 'vulnerabilityClassifications')],
    // The addresses of references are attributes of links.
    references: [childText(issue, 'references'), childText(issue, 'vulnerabilityClassifications')],
    evidence: joined([shownMessage(request), shownMessage(response)]),
    parameter,
    seen: seenIn(request, response),
  });
}

function ruleOf(type: string | null, name: string): Pick<RawFinding, 'ruleId' | 'former'> {
  return type === TYPE_OF_EXTENSIONS
    ? { ruleId: `${type} ${name}`, former: { scanner: 'burp', ruleId: type } }
    : { ruleId: type };
}

function messageOf(issue: XmlElement, kind: 'request' | 'response'): string | null {
  const exchange = issue.children.find(({ name }) => name === 'requestresponse');
  const message = exchange?.children.find(({ name }) => name === kind);
  if (message === undefined) return null;
  return message.attributes['base64'] === 'true' ? decodeBase64(message.text, MAX_READ) : message.text;
}
