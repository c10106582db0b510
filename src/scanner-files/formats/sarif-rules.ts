import { cleanText, shorten } from '../clean-text';
import { isObject, type JsonObject, listOf, objectOf, textOf, textsOf } from '../json-value';
import { UnreadableFileError } from '../unreadable-file-error';

/** A rule of a SARIF run, as far as findings need it. Thousands are kept, so its texts are shortened. */
export interface SarifRule {
  readonly id: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly remediation: string | null;
  readonly level: string | null;
  readonly score: unknown;
  readonly tags: readonly string[];
  readonly references: readonly string[];
  readonly messages: ReadonlyMap<string, string>;
}

const MAX_RULES = 50_000;
const MAX_KEPT_CHARACTERS = 24 * 1024 * 1024;
const MAX_TEXT = 4_000;
const MAX_SHORT = 500;
const MAX_LIST = 50;

/** `text`, or `markdown` if there is no text. */
export function messageText(value: unknown): string | null {
  const message = objectOf(value);
  return textOf(message['text']) ?? textOf(message['markdown']);
}

/** Tags, taxa and relationships name a CWE in many ways. */
export function cweTexts(value: JsonObject): string[] {
  const properties = objectOf(value['properties']);
  const taxa = [...listOf(value['taxa']), ...listOf(value['relationships']).map((one) => objectOf(one)['target'])];
  const named = taxa
    .filter(isObject)
    .filter((taxon) => /cwe/i.test(textOf(objectOf(taxon['toolComponent'])['name']) ?? ''))
    .map((taxon) => textOf(taxon['id'])?.replace(/^\D*/, 'CWE-') ?? '');
  return [...named, ...textsOf(properties['cwe']), ...textsOf(properties['tags'])].slice(0, MAX_LIST);
}

export function ruleOf(value: unknown): SarifRule {
  const rule = objectOf(value);
  const properties = objectOf(rule['properties']);
  const short = (text: string | null) => (text === null ? null : shorten(text, MAX_SHORT));
  const messages = Object.entries(objectOf(rule['messageStrings'])).slice(0, MAX_LIST);
  const help = messageText(properties['solution']) ?? textOf(properties['solution']) ?? messageText(rule['help']);
  return {
    id: short(textOf(rule['id'])),
    title: short(messageText(rule['shortDescription']) ?? textOf(rule['name']) ?? messageText(rule['fullDescription'])),
    description: cleanText(messageText(rule['fullDescription']), MAX_TEXT),
    remediation: cleanText(help, MAX_TEXT),
    level: short(textOf(objectOf(rule['defaultConfiguration'])['level'])),
    score: textOf(properties['security-severity']),
    tags: cweTexts(rule).map((text) => shorten(text, MAX_SHORT)),
    references: [...textsOf(rule['helpUri']), ...textsOf(properties['references'])]
      .slice(0, MAX_LIST)
      .map((text) => shorten(text, MAX_TEXT)),
    messages: new Map(
      messages.map(([id, message]) => [shorten(id, MAX_SHORT), shorten(messageText(message) ?? '', MAX_TEXT)]),
    ),
  };
}

/** The rules of one run: those of the driver and those of each extension. */
export class SarifRules {
  private readonly byComponent = new Map<number, SarifRule[]>();
  private readonly byId = new Map<string, SarifRule>();
  private count = 0;
  private size = 0;

  /** `component` is -1 for the driver, otherwise the index of the extension. */
  add(line: number, component: number, value: unknown): void {
    const rule = ruleOf(value);
    this.count += 1;
    this.size += JSON.stringify([rule, ...rule.messages]).length;
    if (this.count > MAX_RULES || this.size > MAX_KEPT_CHARACTERS)
      throw new UnreadableFileError(line, `The run has too many rules: more than ${MAX_RULES}, or more than 24 MiB.`);
    const rules = this.byComponent.get(component) ?? [];
    this.byComponent.set(component, rules);
    rules.push(rule);
    if (rule.id !== null && !this.byId.has(rule.id)) this.byId.set(rule.id, rule);
  }

  /** A result names its rule by id, by index, or both. `CA1000/1` is a variant of the rule `CA1000`. */
  find(reference: RuleReference): SarifRule | null {
    const { id, index, component } = reference;
    const byIndex = index === null ? null : (this.byComponent.get(component ?? -1)?.[index] ?? null);
    if (id === null || byIndex?.id === null || (byIndex !== null && id.startsWith(byIndex.id))) return byIndex;
    return this.byId.get(id) ?? this.byId.get(id.split('/', 1)[0] ?? id) ?? byIndex;
  }
}

export interface RuleReference {
  readonly id: string | null;
  readonly index: number | null;
  readonly component: number | null;
}

export function ruleReferenceOf(result: JsonObject): RuleReference {
  const rule = objectOf(result['rule']);
  const component = objectOf(rule['toolComponent']);
  const numberOf = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : null);
  return {
    id: textOf(result['ruleId']) ?? textOf(rule['id']),
    index: numberOf(result['ruleIndex']) ?? numberOf(rule['index']),
    component: numberOf(component['index']),
  };
}
