import type { Severity } from '../../kernel/severity';
import { cleanLine, cleanText, shorten } from '../clean-text';
import { type RawFinding, refusedRow, scannedRowOf } from '../raw-finding';
import { splitJson, type JsonPlan } from '../json-splitter';
import { isObject, joined, type JsonObject, listOf, objectOf, textOf, textsOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfScore } from '../severity-mapping';
import { UnreadableFileError } from '../unreadable-file-error';
import { exchangeOf, replayOf, requestOfResult, type SarifExchange, SarifMessages } from './sarif-messages';
import { cweTexts, messageText, type RuleReference, ruleReferenceOf, type SarifRule, SarifRules } from './sarif-rules';

const rules: JsonPlan = { enter: 'rules', elements: { take: 'rule' } };

const runPlan: JsonPlan = {
  enter: 'run',
  keys: {
    tool: {
      enter: 'tool',
      keys: {
        driver: { enter: 'driver', keys: { name: { take: 'tool-name' }, rules } },
        extensions: { enter: 'extensions', elements: { enter: 'extension', keys: { rules } } },
      },
    },
    artifacts: {
      enter: 'artifacts',
      elements: { enter: 'artifact', keys: { location: { take: 'artifact-location' } } },
    },
    externalPropertyFileReferences: {
      enter: 'external',
      keys: { results: { enter: 'external-results', elements: { take: 'external-file' } } },
    },
    results: { enter: 'results', elements: { take: 'result' } },
    webRequests: { enter: 'web-requests', elements: { take: 'web-request' } },
    webResponses: { enter: 'web-responses', elements: { take: 'web-response' } },
  },
};

const logPlan: JsonPlan = {
  enter: 'log',
  keys: { version: { take: 'version' }, runs: { enter: 'runs', elements: runPlan } },
};

const MAX_ARTIFACTS = 200_000;
const MAX_KEPT_CHARACTERS = 24 * 1024 * 1024;
const MAX_TEXT = 4_000;
const MAX_URI = 2_048;

/** A result with its own texts. Its rule may come later in the file. */
interface SarifResult {
  readonly line: number;
  readonly rule: RuleReference;
  readonly messageId: string | null;
  readonly messageArguments: readonly string[];
  readonly message: string | null;
  readonly level: string | null;
  readonly kind: string | null;
  readonly score: string | null;
  readonly artifact: number | null;
  readonly uri: string | null;
  readonly sourceLine: number | null;
  /** The name of the code, such as a function. */
  readonly logicalName: string | null;
  readonly exchange: SarifExchange;
  readonly draft: Pick<RawFinding, 'target' | 'cwe' | 'references' | 'evidence' | 'seenAt' | 'replay'>;
}

class Run {
  readonly rules = new SarifRules();
  readonly messages = new SarifMessages();
  readonly artifacts: string[] = [];
  /** Results that come before the tool, or before a message that they refer to. They are kept until that is known. */
  readonly early: SarifResult[] = [];
  tool: string | null = null;
  toolIsComplete = false;
  extension = -1;
  private size = 0;

  keep(result: SarifResult): void {
    this.early.push(result);
    this.size += JSON.stringify(result).length;
    if (this.size > MAX_KEPT_CHARACTERS)
      throw new UnreadableFileError(
        result.line,
        'More than 24 MiB of results stand before the tool, its rules, or requests and responses that they name. Write `tool`, `webRequests` and `webResponses` before `results`, or split the file.',
      );
  }

  isKnown({ exchange }: SarifResult): boolean {
    return this.toolIsComplete && this.messages.have(exchange);
  }
}

/** SARIF 2.1.0. The results of one run may come before or after its tool. */
export async function* readSarif(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  let run = new Run();
  let hasRuns = false;
  for await (const event of splitJson(text, logPlan)) {
    const { name, line } = event;
    if (event.kind === 'opened') {
      if (name === 'runs') hasRuns = true;
      else if (name === 'run') run = new Run();
      else if (name === 'extension') run.extension += 1;
      else if (name === 'driver') run.extension = -1;
    } else if (event.kind === 'closed') {
      if (name === 'tool') run.toolIsComplete = true;
      if (name !== 'tool' && name !== 'run') continue;
      for (const result of run.early.splice(0))
        if (name === 'run' || run.isKnown(result)) yield rowOfResult(result, run);
        else run.early.push(result);
    } else if (event.kind === 'refused') {
      run.messages.add(name, null);
      yield refusedRow(line, `${name}: ${event.reason}`);
    } else if (name === 'version') checkVersion(line, event.value);
    else if (name === 'tool-name') run.tool = textOf(event.value);
    else if (name === 'rule') run.rules.add(line, run.extension, event.value);
    else if (name === 'artifact-location') {
      if (run.artifacts.length < MAX_ARTIFACTS) run.artifacts.push(shorten(uriOf(event.value) ?? '', MAX_URI));
    } else if (name === 'external-file')
      throw new UnreadableFileError(
        line,
        'The results are in other files (externalPropertyFileReferences): send those inline.',
      );
    else if (name === 'result') {
      const leftOut = isObject(event.value) ? reasonToLeaveOut(event.value) : 'It is not a JSON object.';
      const result = resultOf(line, objectOf(event.value));
      if (leftOut !== null) yield refusedRow(line, leftOut);
      else if (run.isKnown(result)) yield rowOfResult(result, run);
      else run.keep(result);
    } else run.messages.add(name, event.value);
  }
  if (!hasRuns) throw new UnreadableFileError(1, 'The file has no runs, so it is not SARIF.');
}

function checkVersion(line: number, value: unknown): void {
  const version = textOf(value) ?? '';
  if (!version.startsWith('2.1.'))
    throw new UnreadableFileError(line, `SARIF ${version.slice(0, 20)} is not supported: export SARIF 2.1.0.`);
}

/** Why a result in the file is not imported. */
function reasonToLeaveOut(result: JsonObject): string | null {
  const kind = textOf(result['kind']);
  if (kind === 'pass' || kind === 'notApplicable') return `The rule found nothing here (kind is ${kind}).`;
  if (result['baselineState'] === 'absent') return 'It is no longer found (baselineState is absent).';
  const accepted = listOf(result['suppressions']).some((suppression) => {
    const status = textOf(objectOf(suppression)['status'] ?? objectOf(suppression)['state']);
    return status === null || status === 'accepted';
  });
  return accepted ? 'It is suppressed in the file.' : null;
}

function resultOf(line: number, result: JsonObject): SarifResult {
  const message = objectOf(result['message']);
  const properties = objectOf(result['properties']);
  const location = objectOf(listOf(result['locations'])[0]);
  const physical = objectOf(location['physicalLocation']);
  const region = objectOf(physical['region']);
  const artifact = objectOf(physical['artifactLocation']);
  const sourceLine = typeof region['startLine'] === 'number' ? region['startLine'] : null;
  const uri = uriOf(artifact);
  const request = requestOfResult(result);
  const snippet = messageText(region['snippet']) ?? messageText(objectOf(physical['contextRegion'])['snippet']);
  const logical = objectOf(listOf(location['logicalLocations'])[0]);
  const short = (text: string | null) => (text === null ? null : shorten(text, MAX_TEXT));
  const target = uri !== null && /^https?:/i.test(uri) ? uri : (request?.url ?? null);
  return {
    line,
    rule: ruleReferenceOf(result),
    messageId: short(textOf(message['id'])),
    messageArguments: textsOf(message['arguments'])
      .slice(0, 20)
      .map((text) => shorten(text, MAX_TEXT)),
    message: cleanText(messageText(message), MAX_TEXT),
    level: short(textOf(result['level'])),
    kind: short(textOf(result['kind'])),
    score: textOf(properties['security-severity']),
    artifact: uri === null && typeof artifact['index'] === 'number' ? artifact['index'] : null,
    uri: short(uri),
    sourceLine,
    logicalName: short(textOf(logical['fullyQualifiedName']) ?? textOf(logical['name'])),
    exchange: exchangeOf(result),
    draft: {
      target: short(target),
      cwe: cweTexts(result).map((text) => shorten(text, MAX_TEXT)),
      references: textsOf(result['hostedViewerUri']).map((text) => shorten(text, MAX_URI)),
      evidence: cleanText(snippet, MAX_TEXT),
      seenAt: short(textOf(objectOf(result['provenance'])['lastDetectionTimeUtc'])),
      replay: replayOf(result, request, snippet),
    },
  };
}

const uriOf = (location: unknown): string | null => textOf(objectOf(location)['uri']);

/** Links in messages often contain the id of the scan. */
const LINKS = /\[[^[\]]{0,200}\]\([^()]{0,2000}\)|https?:\/\/\S{1,2000}/g;
const MAX_DISTINCTION = 200;

/** Without a line, the name of the code or the message tells the results of a file and rule apart. */
function sourceOf(
  file: string | null,
  { sourceLine, logicalName }: SarifResult,
  message: string | null,
): string | null {
  // Only the part of the path below its base is kept, not paths of the computer that ran the tool.
  const path = file?.replace(/^file:\/{0,3}/i, '') ?? null;
  if (path !== null && sourceLine !== null) return `${path}:${sourceLine}`;
  const other = logicalName ?? cleanLine(message?.replace(LINKS, ''), MAX_DISTINCTION);
  return path === null ? other : other === null ? path : `${path} (${other})`;
}

function rowOfResult(result: SarifResult, run: Run): ScannedRow {
  const rule = run.rules.find(result.rule);
  const message = result.message ?? messageOfRule(result, rule);
  // Some tools name no rule. Then the message identifies it.
  const ruleId = result.rule.id ?? rule?.id ?? message;
  const { draft } = result;
  const artifact = (result.artifact === null ? null : run.artifacts[result.artifact]) || null;
  return scannedRowOf({
    ...draft,
    line: result.line,
    scanner: run.tool ?? 'sarif',
    ruleId,
    title: rule?.title ?? message ?? ruleId,
    severity: severityOf(result, rule),
    description: joined([message, rule?.description === message ? null : rule?.description]),
    remediation: rule?.remediation ?? null,
    source: draft.target == null ? sourceOf(result.uri ?? artifact, result, message === ruleId ? null : message) : null,
    cwe: [...(draft.cwe ?? []), ...(rule?.tags ?? [])],
    cves: [ruleId, ...(rule?.tags ?? [])],
    references: [...(draft.references ?? []), ...(rule?.references ?? [])],
    seen: run.messages.seenIn(result.exchange),
  });
}

function messageOfRule({ messageId, messageArguments }: SarifResult, rule: SarifRule | null): string | null {
  const text = rule?.messages.get(messageId ?? 'default') ?? null;
  return (
    text?.replace(/\{(\d{1,2})\}/g, (placeholder, index) => messageArguments[Number(index)] ?? placeholder) ?? null
  );
}

const SEVERITY_OF_LEVEL: ReadonlyMap<string, Severity> = new Map([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'info'],
]);

/** A score is more exact than a level. By the standard, a missing level is a warning. */
function severityOf(result: SarifResult, rule: SarifRule | null): Severity {
  const score = severityOfScore(result.score) ?? severityOfScore(rule?.score ?? null);
  if (score !== null) return score;
  if (result.kind !== null && result.kind !== 'fail') return 'info';
  return SEVERITY_OF_LEVEL.get(result.level ?? rule?.level ?? 'warning') ?? 'medium';
}
