import { refusedRow, scannedRowOf } from '../raw-finding';
import { splitJson } from '../json-splitter';
import { isObject, type JsonObject, joined, listOf, textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfWord } from '../severity-mapping';

/** A list of results (`--jsonfile`), or the results of each server by chapter (`--jsonfile-pretty`). */
const results = {
  enter: 'results',
  elements: { take: 'result' },
  keys: { scanResult: { enter: 'servers', elements: { take: 'server' } } },
} as const;

/** The results of testssl.sh. Facts and passed tests are not results. */
export async function* readTestssl(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  for await (const event of splitJson(text, results)) {
    if (event.kind === 'refused') yield refusedRow(event.line, event.reason);
    else if (event.kind === 'value' && event.name === 'server') yield* rowsOfServer(event.line, event.value);
    else if (event.kind === 'value') yield rowOfResult(event.line, event.value);
  }
}

/** The names of chapters differ between versions. Each chapter is a list of results. */
function* rowsOfServer(line: number, server: unknown): Generator<ScannedRow> {
  if (!isObject(server)) {
    yield refusedRow(line, 'It is not a JSON object.');
    return;
  }
  const { targetHost, ip, port } = server;
  const place = { ip: `${textOf(targetHost) ?? ''}/${textOf(ip) ?? ''}`, port };
  for (const chapter of Object.values(server))
    for (const result of Array.isArray(chapter) ? listOf(chapter) : [])
      yield rowOfResult(line, isObject(result) ? { ...result, ...place } : result);
}

const NO_RESULT: ReadonlyMap<string, string> = new Map([
  ['OK', 'testssl.sh found it to be right (OK).'],
  ['INFO', 'It is a fact, not a weakness (INFO).'],
  ['DEBUG', 'It is a fact, not a weakness (DEBUG).'],
  ['WARN', 'testssl.sh could not test it (WARN).'],
  ['FATAL', 'testssl.sh could not test it (FATAL).'],
]);

function rowOfResult(line: number, result: unknown): ScannedRow {
  if (!isObject(result)) return refusedRow(line, 'It is not a JSON object.');
  const word = textOf(result['severity']);
  const severity = severityOfWord(word);
  const reason = NO_RESULT.get(word ?? '');
  if (reason !== undefined || severity === null) return refusedRow(line, reason ?? 'Its severity is not known.');
  const { id, finding, port } = result;
  return scannedRowOf({
    line,
    scanner: 'testssl',
    ruleId: textOf(id),
    title: joined([textOf(id), textOf(finding)], ': '),
    severity,
    ...hostOf(result),
    port,
    cwe: listOf(result['cwe']),
    cves: listOf(result['cve']),
    evidence: textOf(finding),
  });
}

/** `name/address`, where the name is empty if an address was tested. */
function hostOf(result: JsonObject): { readonly host: string | null; readonly address: string | null } {
  const [name = '', address = name] = (textOf(result['ip']) ?? '').split('/');
  return { host: textOf(name) ?? textOf(address), address: textOf(address) };
}
