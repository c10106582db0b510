import { type FindingDraft, refusedRow, rowOf } from '../finding-draft';
import { cleanLine, cleanText, htmlToText, shorten } from '../clean-text';
import { splitJson, type JsonPlan } from '../json-splitter';
import { isObject, joined, objectOf, textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfNumber } from '../severity-mapping';
import { UnreadableFileError } from '../unreadable-file-error';
import { childText, splitXml, type XmlElement } from '../split-xml';

/** One place where ZAP saw an alert. It is kept until the alert ends, because its texts stand after the instances. */
interface Instance {
  readonly line: number;
  readonly uri: string | null;
  readonly parameter: string | null;
  readonly evidence: string | null;
  readonly replay: FindingDraft['replay'];
}

interface Site {
  readonly name: string | null;
  readonly host: string | null;
  readonly port: string | null;
}

/** An alert has one instance for each URL, so a large site has many. Those beyond these limits are refused. */
const MAX_INSTANCES = 50_000;
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;
const MAX_URI = 4_096;
const MAX_EVIDENCE = 2_000;

class Alert {
  readonly instances: Instance[] = [];
  readonly refused: ScannedRow[] = [];
  private size = 0;
  private refusedFurther = false;

  private get isFull(): boolean {
    return this.instances.length >= MAX_INSTANCES || this.size > MAX_KEPT_CHARACTERS;
  }

  add(line: number, field: (name: string) => string | null, responseParts: readonly string[]): void {
    if (this.isFull) {
      if (!this.refusedFurther)
        this.refuse(line, 'Its alert has too many instances: this and the following ones are not read.');
      this.refusedFurther = true;
      return;
    }
    const instance = instanceOf(line, field, responseParts);
    const { uri, parameter, evidence, replay } = instance;
    this.size += [uri, parameter, evidence, replay?.url, replay?.match].join('').length;
    this.instances.push(instance);
  }

  refuse(line: number, reason: string): void {
    if (this.refused.length < MAX_INSTANCES) this.refused.push(refusedRow(line, reason));
  }

  /** An alert whose instances were all refused has no row of its own. */
  *rows(line: number, site: Site, field: (name: string) => string | null, seenAt: unknown): Generator<ScannedRow> {
    const hasNone = this.instances.length === 0 && this.refused.length === 0;
    const rows = hasNone ? [instanceOfSite(line, site)] : this.instances;
    for (const instance of rows) yield rowOfInstance(instance, site, field, seenAt);
    yield* this.refused;
  }
}

const instanceOfSite = (line: number, { name }: Site): Instance => ({
  line,
  uri: name,
  parameter: null,
  evidence: null,
  replay: null,
});

function rowOfInstance(
  instance: Instance,
  site: Site,
  field: (name: string) => string | null,
  seenAt: unknown,
): ScannedRow {
  const { line, uri, parameter, evidence, replay } = instance;
  const risk = field('riskcode');
  if (risk === '-1' || field('confidence') === '0') return refusedRow(line, 'It is marked as a false positive in ZAP.');
  const severity = severityOfNumber(risk);
  if (severity === null || severity === 'critical')
    return refusedRow(line, 'Its riskcode is not a number from 0 to 3.');
  // The reference to an alert names its variant: 10038 is a rule about CSP, 10038-1 that the header is missing.
  const ruleId = field('alertRef') ?? field('pluginid');
  const references = htmlToText(field('reference') ?? '');
  return rowOf({
    line,
    scanner: 'zap',
    ruleId,
    title: htmlToText(field('name') ?? field('alert') ?? ''),
    severity,
    description: joined([htmlToText(field('desc') ?? ''), htmlToText(field('otherinfo') ?? '')]),
    remediation: htmlToText(field('solution') ?? ''),
    target: uri ?? site.name,
    host: site.host,
    port: site.port,
    cwe: [field('cweid')],
    references: [references],
    cves: [field('name')],
    evidence,
    parameter,
    seenAt,
    replay,
  });
}

function instanceOf(line: number, field: (name: string) => string | null, responseParts: readonly string[]): Instance {
  const uri = field('uri');
  const evidence = field('evidence');
  const attack = field('attack');
  const method = field('method');
  const wasSeen =
    responseParts.length === 0 || (evidence !== null && responseParts.some((part) => part.includes(evidence)));
  const hasReplay = uri !== null && evidence !== null && method !== null && wasSeen;
  return {
    line,
    // Cleaned here, because thousands of instances are kept at a time.
    uri: cleanLine(uri, MAX_URI),
    parameter: cleanLine(field('param'), MAX_EVIDENCE),
    evidence: cleanText(
      joined([evidence, attack === null ? null : `Attack: ${attack}`, field('otherinfo')]),
      MAX_EVIDENCE,
    ),
    replay:
      hasReplay && uri.length <= MAX_URI && evidence.length <= MAX_EVIDENCE
        ? { method: shorten(method, 10), url: shorten(uri, MAX_URI), match: shorten(evidence, MAX_EVIDENCE) }
        : null,
  };
}

const TAKEN_FIELDS = [
  'pluginid',
  'alertRef',
  'name',
  'alert',
  'riskcode',
  'confidence',
  'desc',
  'solution',
  'otherinfo',
  'reference',
  'cweid',
] as const;

const take = (name: string): JsonPlan => ({ take: name });

const alertPlan: JsonPlan = {
  enter: 'alert',
  keys: {
    ...Object.fromEntries(TAKEN_FIELDS.map((name) => [name, take(name)])),
    instances: { enter: 'instances', elements: take('instance') },
  },
};

const sitePlan: JsonPlan = {
  enter: 'site',
  keys: {
    '@name': take('@name'),
    '@host': take('@host'),
    '@port': take('@port'),
    alerts: { enter: 'alerts', elements: alertPlan },
  },
};

const reportPlan: JsonPlan = {
  enter: 'report',
  // Old versions write one site without the array.
  keys: { created: take('created'), site: { ...sitePlan, enter: 'sites', elements: sitePlan } },
};

export async function* readZapJson(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  const site = new Map<string, string | null>();
  let fields = new Map<string, string | null>();
  let alert: Alert | null = null;
  let created: unknown = null;
  let hasSites = false;
  for await (const event of splitJson(text, reportPlan)) {
    const { kind, name, line } = event;
    if (kind === 'opened' && (name === 'site' || name === 'sites')) {
      site.clear();
      hasSites = true;
    }
    if (kind === 'opened' && name === 'alert') {
      alert = new Alert();
      fields = new Map();
    } else if (kind === 'closed' && name === 'alert' && alert !== null) {
      const current = fields;
      yield* alert.rows(line, siteOf(site), (field) => current.get(field) ?? null, created);
      alert = null;
    } else if (kind === 'refused') {
      if (alert !== null && name === 'instance') alert.refuse(line, event.reason);
      else yield refusedRow(line, `${name}: ${event.reason}`);
    } else if (kind === 'value') {
      if (name === 'created') created = event.value;
      else if (name.startsWith('@')) site.set(name, textOf(event.value));
      else if (name !== 'instance') fields.set(name, textOf(event.value));
      else if (!isObject(event.value)) alert?.refuse(line, 'The instance is not a JSON object.');
      else addJson(alert, line, event.value);
    }
  }
  if (!hasSites) throw new UnreadableFileError(1, 'The file has no site, so it is not a report of ZAP.');
}

const siteOf = (site: ReadonlyMap<string, string | null>): Site => ({
  name: site.get('@name') ?? null,
  host: site.get('@host') ?? null,
  port: site.get('@port') ?? null,
});

function addJson(alert: Alert | null, line: number, value: unknown): void {
  const instance = objectOf(value);
  const response = [textOf(instance['response-header']), textOf(instance['response-body'])];
  alert?.add(
    line,
    (name) => textOf(instance[name]),
    response.filter((part) => part !== null),
  );
}

const zapRecords = {
  records: new Set(['alertitem', 'instance']),
  ignored: new Set(['requestheader', 'requestbody', 'nodeName', 'tags']),
};

export async function* readZapXml(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  let site: Site = { name: null, host: null, port: null };
  let alert: Alert | null = null;
  let created: string | null = null;
  for await (const event of splitXml(text, zapRecords)) {
    if (event.kind === 'opened') {
      const { name, attributes } = event.element;
      if (name === 'OWASPZAPReport') created = attributes['created'] ?? null;
      if (name === 'site')
        site = { name: attributes['name'] ?? null, host: attributes['host'] ?? null, port: attributes['port'] ?? null };
      continue;
    }
    const name = event.kind === 'record' ? event.element.name : event.name;
    const line = event.kind === 'record' ? event.element.line : event.line;
    alert ??= new Alert();
    if (event.kind === 'refused') alert.refuse(line, event.reason);
    else if (name === 'instance') addXml(alert, event.element);
    if (name !== 'alertitem') continue;
    if (event.kind === 'refused') yield* alert.refused;
    else {
      const { element } = event;
      yield* alert.rows(line, site, (field) => textOf(childText(element, field)), created);
    }
    alert = null;
  }
}

function addXml(alert: Alert, element: XmlElement): void {
  const response = [childText(element, 'responseheader'), childText(element, 'responsebody')];
  alert.add(
    element.line,
    (name) => textOf(childText(element, name)),
    response.filter((part) => part !== ''),
  );
}
