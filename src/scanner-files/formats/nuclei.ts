import { type RawFinding, refusedRow, scannedRowOf } from '../raw-finding';
import { decodeBase64, requestOf, shownMessage, seenIn } from '../http-message';
import { splitJson } from '../json-splitter';
import { isObject, joined, type JsonObject, listOf, objectOf, parseJson, textOf, textsOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfWord, unknownSeverity } from '../severity-mapping';
import { splitLines } from '../split-lines';
import { UnreadableFileError } from '../unreadable-file-error';

const MAX_TEMPLATE = 256 * 1024;

/** An array of results, as `-json-export` writes it. */
const exportedArray = { enter: 'results', elements: { take: 'result' } } as const;

/** One result in each line (`-jsonl`), or one array of results (`-json-export`). */
export async function* readNuclei(text: AsyncIterable<string>, isArray: boolean): AsyncGenerator<ScannedRow> {
  if (!isArray) {
    yield* readLines(text);
    return;
  }
  for await (const event of splitJson(text, exportedArray)) {
    if (event.kind === 'value') yield rowOfResult(event.line, event.value);
    else if (event.kind === 'refused') yield refusedRow(event.line, event.reason);
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  for await (const { line, text: content, isLast, refused } of splitLines(text)) {
    if (refused !== null) {
      yield refusedRow(line, refused);
      continue;
    }
    if (content.trim() === '') continue;
    const parsed = parseJson(content);
    if (parsed !== null) yield rowOfResult(line, parsed.value);
    else if (isLast)
      throw new UnreadableFileError(line, 'The last line is not complete JSON: the file is probably truncated.');
    else yield refusedRow(line, 'The line is not valid JSON.');
  }
}

function rowOfResult(line: number, value: unknown): ScannedRow {
  if (!isObject(value)) return refusedRow(line, 'It is not a JSON object.');
  const templateId = textOf(value['template-id'] ?? value['templateID']);
  if (templateId === null) return refusedRow(line, 'It has no template-id, so it is not a result of Nuclei.');
  if (value['matcher-status'] === false || value['matcher_status'] === false)
    return refusedRow(line, 'The template did not match (matcher-status is false).');
  const info = objectOf(value['info']);
  const severity = severityOfWord(textOf(info['severity']));
  if (severity === null) return refusedRow(line, unknownSeverity(textOf(info['severity'])));
  return scannedRowOf({
    line,
    scanner: 'nuclei',
    ruleId: templateId,
    severity,
    ...textsOfResult(value, info, templateId),
  });
}

function textsOfResult(value: JsonObject, info: JsonObject, templateId: string) {
  const classification = objectOf(info['classification']);
  const matcher = textOf(value['matcher-name'] ?? value['matcher_name']);
  const extracted = textsOf(value['extracted-results'] ?? value['extracted_results']);
  const matchedAt = textOf(value['matched-at'] ?? value['matched']);
  const request = textOf(value['request']);
  const response = textOf(value['response']);
  const name = textOf(info['name']);
  return {
    title: matcher === null || name === null ? name : `${name} (${matcher})`,
    description: joined([textOf(info['description']), textOf(info['impact'])]),
    remediation: textOf(info['remediation']),
    target: matchedAt ?? textOf(value['url']),
    host: textOf(value['host']) ?? textOf(value['ip']),
    port: textOf(value['port']),
    address: textOf(value['ip']),
    cwe: listOf(classification['cwe-id']),
    cves: [...textsOf(classification['cve-id']), templateId],
    references: textsOf(info['reference']),
    cvssVectors: listOf(classification['cvss-metrics']),
    evidence: joined([extracted.join('\n'), shownMessage(request), shownMessage(response)]),
    parameter: textOf(value['fuzzing_parameter']) ?? matcher ?? textOf(value['extractor-name']),
    seenAt: value['timestamp'],
    replay: replayOf(request, response, matchedAt ?? textOf(value['url']), extracted),
    seen: seenIn(request, response),
    template: templateOf(textOf(value['template-encoded'])),
  } satisfies Partial<RawFinding>;
}

function replayOf(request: string | null, response: string | null, url: string | null, extracted: readonly string[]) {
  const sent = requestOf(request, url);
  const match = extracted.find((text) => response?.includes(text) === true);
  return sent === null || match === undefined ? null : { ...sent, match };
}

function templateOf(encoded: string | null): string | null {
  if (encoded === null || encoded.length > MAX_TEMPLATE * 2) return null;
  const source = decodeBase64(encoded, MAX_TEMPLATE);
  const isText = source.length > 0 && !source.includes('\uFFFD') && !/(?![\t\n\r])\p{Cc}/u.test(source);
  return isText ? source : null;
}
