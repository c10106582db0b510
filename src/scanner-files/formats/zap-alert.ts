import { cleanLine, cleanText, htmlToText, shorten } from '../clean-text';
import { type RawFinding, refusedRow, scannedRowOf } from '../raw-finding';
import { seenIn } from '../http-message';
import { joined } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfNumber } from '../severity-mapping';

/** One place where ZAP saw an alert. It is kept until the alert ends, because its texts come after the instances. */
interface ZapInstance {
  readonly line: number;
  readonly uri: string | null;
  readonly parameter: string | null;
  readonly evidence: string | null;
  readonly replay: RawFinding['replay'];
  readonly seen: RawFinding['seen'];
}

/** The response in the file, as its header and its body. */
interface ZapExchange {
  readonly request: string | null;
  readonly response: readonly (string | null)[];
}

export interface ZapSite {
  readonly name: string | null;
  readonly host: string | null;
  readonly port: string | null;
}

/** An alert has one instance for each URL, so large sites have many. Instances beyond these limits are refused. */
const MAX_INSTANCES = 50_000;
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;
const MAX_URI = 4_096;
const MAX_EVIDENCE = 2_000;

export class ZapAlert {
  readonly instances: ZapInstance[] = [];
  readonly refused: ScannedRow[] = [];
  private size = 0;
  private refusedFurther = false;

  private get isFull(): boolean {
    return this.instances.length >= MAX_INSTANCES || this.size > MAX_KEPT_CHARACTERS;
  }

  add(line: number, field: (name: string) => string | null, exchange: ZapExchange): void {
    if (this.isFull) {
      if (!this.refusedFurther)
        this.refuse(line, 'Its alert has too many instances: this and the following ones are not read.');
      this.refusedFurther = true;
      return;
    }
    const instance = instanceOf(line, field, exchange);
    const { uri, parameter, evidence, replay, seen } = instance;
    this.size += [uri, parameter, evidence, replay?.url, replay?.match, seen?.server, seen?.title].join('').length;
    this.instances.push(instance);
  }

  refuse(line: number, reason: string): void {
    if (this.refused.length < MAX_INSTANCES) this.refused.push(refusedRow(line, reason));
  }

  /** An alert without any instances gets a row for its site; one whose instances were all refused does not. */
  *rows(line: number, site: ZapSite, field: (name: string) => string | null, seenAt: unknown): Generator<ScannedRow> {
    const hasNone = this.instances.length === 0 && this.refused.length === 0;
    const rows = hasNone ? [instanceOfSite(line, site)] : this.instances;
    for (const instance of rows) yield rowOfInstance(instance, site, field, seenAt);
    yield* this.refused;
  }
}

const instanceOfSite = (line: number, { name }: ZapSite): ZapInstance => ({
  line,
  uri: name,
  parameter: null,
  evidence: null,
  replay: null,
  seen: null,
});

function rowOfInstance(
  instance: ZapInstance,
  site: ZapSite,
  field: (name: string) => string | null,
  seenAt: unknown,
): ScannedRow {
  const { line, uri, parameter, evidence, replay, seen } = instance;
  const risk = field('riskcode');
  if (risk === '-1' || field('confidence') === '0') return refusedRow(line, 'It is marked as a false positive in ZAP.');
  const severity = severityOfNumber(risk);
  if (severity === null || severity === 'critical')
    return refusedRow(line, 'Its riskcode is not a number from 0 to 3.');
  // The alertRef includes the variant: 10038 is a rule about CSP, 10038-1 is that the header is missing.
  const ruleId = field('alertRef') ?? field('pluginid');
  const references = htmlToText(field('reference') ?? '');
  return scannedRowOf({
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
    seen,
  });
}

function instanceOf(
  line: number,
  field: (name: string) => string | null,
  { request, response }: ZapExchange,
): ZapInstance {
  const uri = field('uri');
  const evidence = field('evidence');
  const attack = field('attack');
  const method = field('method');
  const responseParts = response.filter((part) => part !== null);
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
    seen: seenIn(request, joined([response[0]?.trim(), response[1]], '\r\n\r\n')),
  };
}
