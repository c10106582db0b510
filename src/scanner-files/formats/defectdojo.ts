import { refusedRow, scannedRowOf } from '../raw-finding';
import { splitJson, type JsonPlan } from '../json-splitter';
import { isObject, joined, type JsonObject, listOf, textOf, textsOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfWord, unknownSeverity } from '../severity-mapping';
import { UnreadableFileError } from '../unreadable-file-error';

const filePlan: JsonPlan = {
  enter: 'file',
  keys: {
    type: { take: 'type' },
    name: { take: 'name' },
    findings: { enter: 'findings', elements: { take: 'finding' } },
  },
};

const MAX_ENDPOINTS = 1_000;

/** Fields that say that a person or DefectDojo has already decided, and the reason for refusing the finding. */
const CLOSED: readonly (readonly [field: string, reason: string])[] = [
  ['false_p', 'It is marked as a false positive.'],
  ['duplicate', 'It is marked as a duplicate.'],
  ['is_mitigated', 'It is marked as mitigated.'],
  ['out_of_scope', 'It is marked as out of scope.'],
];

/** The generic format of DefectDojo. Each endpoint of a finding becomes a row. */
export async function* readDefectDojo(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  let type: string | null = null;
  let hasFindings = false;
  for await (const event of splitJson(text, filePlan)) {
    if (event.kind === 'opened' && event.name === 'findings') hasFindings = true;
    else if (event.kind === 'refused') yield refusedRow(event.line, event.reason);
    else if (event.kind === 'value') {
      if (event.name === 'finding') yield* rowsOfFinding(event.line, event.value, type ?? 'defectdojo');
      else if (event.name === 'type' || type === null) type = textOf(event.value) ?? type;
    }
  }
  if (!hasFindings) throw new UnreadableFileError(1, 'The file has no list of findings, so it is not of this format.');
}

function* rowsOfFinding(line: number, value: unknown, scanner: string): Generator<ScannedRow> {
  if (!isObject(value)) {
    yield refusedRow(line, 'It is not a JSON object.');
    return;
  }
  const closed = CLOSED.find(([field]) => value[field] === true);
  const title = textOf(value['title']);
  const word = textOf(value['severity']);
  const severity = severityOfWord(word);
  if (closed !== undefined || title === null || severity === null) {
    yield refusedRow(line, closed?.[1] ?? (title === null ? 'It has no title.' : unknownSeverity(word)));
    return;
  }
  const endpoints = listOf(value['endpoints']);
  if (endpoints.length > MAX_ENDPOINTS) {
    yield refusedRow(line, `It has more than ${MAX_ENDPOINTS} endpoints.`);
    return;
  }
  const common = { line, scanner, title, severity, ...textsOfFinding(value, title) };
  for (const endpoint of endpoints.length === 0 ? [null] : endpoints)
    yield scannedRowOf({
      ...common,
      target: targetOf(endpoint),
      host: isObject(endpoint) ? textOf(endpoint['host']) : null,
    });
}

function textsOfFinding(value: JsonObject, title: string) {
  const field = (name: string) => textOf(value[name]);
  const [file, fileLine] = [field('file_path'), field('line')];
  const cves = [...textsOf(value['cve']), ...textsOf(value['vulnerability_ids'])];
  return {
    // If the tool gives no id, a CVE or the title identifies the rule.
    ruleId: field('vuln_id_from_tool') ?? cves[0] ?? title,
    description: joined([field('description'), field('impact')]),
    remediation: field('mitigation'),
    source: file === null ? field('component_name') : fileLine === null ? file : `${file}:${fileLine}`,
    cwe: [value['cwe']],
    cves,
    references: textsOf(value['references']),
    cvssVectors: [value['cvssv4'], value['cvssv3']],
    evidence: joined([field('steps_to_reproduce'), field('payload')]),
    parameter: field('param'),
    seenAt: value['date'],
  };
}

/** An endpoint is a URL, or its parts. */
function targetOf(endpoint: unknown): string | null {
  if (!isObject(endpoint)) return textOf(endpoint);
  const part = (name: string) => textOf(endpoint[name]);
  const host = part('host');
  if (host === null) return null;
  const [protocol, port, query] = [part('protocol'), part('port'), part('query')];
  const authority = port === null ? host : `${host}:${port}`;
  if (protocol === null) return authority;
  return `${protocol}://${authority}/${(part('path') ?? '').replace(/^\//, '')}${query === null ? '' : `?${query}`}`;
}
