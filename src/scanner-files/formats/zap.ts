import { refusedRow } from '../raw-finding';
import { type JsonPlan, splitJson } from '../json-splitter';
import { isObject, objectOf, textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { childText, splitXml, type XmlElement } from '../split-xml';
import { UnreadableFileError } from '../unreadable-file-error';
import { ZapAlert, type ZapSite } from './zap-alert';

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
  let alert: ZapAlert | null = null;
  let created: unknown = null;
  let hasSites = false;
  for await (const event of splitJson(text, reportPlan)) {
    const { kind, name, line } = event;
    if (kind === 'opened' && (name === 'site' || name === 'sites')) {
      site.clear();
      hasSites = true;
    }
    if (kind === 'opened' && name === 'alert') {
      alert = new ZapAlert();
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

const siteOf = (site: ReadonlyMap<string, string | null>): ZapSite => ({
  name: site.get('@name') ?? null,
  host: site.get('@host') ?? null,
  port: site.get('@port') ?? null,
});

function addJson(alert: ZapAlert | null, line: number, value: unknown): void {
  const instance = objectOf(value);
  alert?.add(line, (name) => textOf(instance[name]), {
    request: textOf(instance['request-header']),
    response: [textOf(instance['response-header']), textOf(instance['response-body'])],
  });
}

const zapRecords = {
  opened: new Set(['OWASPZAPReport', 'site']),
  records: new Set(['alertitem', 'instance']),
  ignored: new Set(['requestbody', 'nodeName', 'tags']),
};

export async function* readZapXml(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  let site: ZapSite = { name: null, host: null, port: null };
  let alert: ZapAlert | null = null;
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
    alert ??= new ZapAlert();
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

function addXml(alert: ZapAlert, element: XmlElement): void {
  const field = (name: string) => textOf(childText(element, name));
  alert.add(element.line, field, {
    request: field('requestheader'),
    response: [field('responseheader'), field('responsebody')],
  });
}
