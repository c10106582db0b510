import { ExpressionError, ExpressionLimitExceeded, LONGEST_VALUE } from './expressions/value';
import { type MarkupElement, markupTree } from './markup-tree';

type Predicate =
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string | null; readonly isPart: boolean };

interface Step {
  /** Whether the elements may be at any depth. */
  readonly deep: boolean;
  /** Null for all elements. */
  readonly name: string | null;
  readonly predicates: readonly Predicate[];
}

const STEP = /(?<slashes>\/\/?)(?<name>[A-Za-z_][\w.-]{0,100}|\*)/y;
const PREDICATE =
  /\[\s*(?:(?<position>[1-9]\d{0,4})|@(?<name>[\w:-]{1,100})(?:\s*=\s*(?:"(?<double>[^"]{0,500})"|'(?<single>[^']{0,500})'))?|contains\(\s*@(?<of>[\w:-]{1,100})\s*,\s*(?:"(?<partDouble>[^"]{0,500})"|'(?<partSingle>[^']{0,500})')\s*\))\s*\]/y;
const MOST_STEPS = 50;

function predicateOf(groups: Readonly<Record<string, string | undefined>>): Predicate {
  const { position, name, double, single, of, partDouble, partSingle } = groups;
  if (position !== undefined) return { kind: 'position', position: Number(position) };
  return {
    kind: 'attribute',
    name: name ?? of ?? '',
    value: double ?? single ?? partDouble ?? partSingle ?? null,
    isPart: of !== undefined,
  };
}

/** Parses paths such as `/html/body/div[1]` and `//input[@id='a']`. Functions, other axes and operators are not supported. */
export function parseXPath(source: string): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < source.length;) {
    STEP.lastIndex = at;
    const step = STEP.exec(source)?.groups;
    if (step === undefined || steps.length === MOST_STEPS) throw notSupported(source.slice(at));
    at = STEP.lastIndex;
    const predicates: Predicate[] = [];
    for (;;) {
      PREDICATE.lastIndex = at;
      const groups = PREDICATE.exec(source)?.groups;
      if (groups === undefined) break;
      predicates.push(predicateOf(groups));
      at = PREDICATE.lastIndex;
    }
    const { slashes, name = '*' } = step;
    steps.push({ deep: slashes === '//', name: name === '*' ? null : name, predicates });
  }
  if (steps.length === 0) throw notSupported(source);
  return steps;
}

const notSupported = (rest: string): ExpressionError =>
  new ExpressionError(
    `${JSON.stringify(rest.slice(0, 40))} is not supported; only paths such as /html/body/div[1] and //input[@id="a"]`,
  );

const MOST_VISITED = 100_000;
const MOST_RESULTS = 1_000;

class Search {
  private visited = 0;

  run(root: MarkupElement, steps: readonly Step[]): readonly MarkupElement[] {
    let found: readonly MarkupElement[] = [root];
    for (const { deep, name, predicates } of steps) {
      const parents = deep ? this.withDescendants(found) : found;
      const next = new Set<MarkupElement>();
      for (const parent of parents) for (const one of this.matching(parent, name, predicates)) next.add(one);
      found = [...next];
    }
    return found.slice(0, MOST_RESULTS);
  }

  /** In document order, each of them once. */
  private withDescendants(elements: readonly MarkupElement[]): Iterable<MarkupElement> {
    const all = new Set<MarkupElement>();
    const left = elements.toReversed();
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (all.has(next)) continue;
      this.visit();
      all.add(next);
      for (const child of next.children.toReversed()) if (typeof child !== 'string') left.push(child);
    }
    return all;
  }

  /** A position counts the elements with the same parent that satisfy the predicates before it. */
  private matching(parent: MarkupElement, name: string | null, predicates: readonly Predicate[]): MarkupElement[] {
    let matching: MarkupElement[] = [];
    for (const child of parent.children) {
      this.visit();
      if (typeof child !== 'string' && (name === null || child.name === name)) matching.push(child);
    }
    for (const predicate of predicates)
      matching = matching.filter((one, index) =>
        predicate.kind === 'position' ? index + 1 === predicate.position : hasAttribute(one, predicate),
      );
    return matching;
  }

  private visit(): void {
    this.visited += 1;
    if (this.visited > MOST_VISITED) throw new ExpressionLimitExceeded('an xpath looks at too many elements');
  }
}

function hasAttribute(
  { attributes }: MarkupElement,
  { name, value, isPart }: Extract<Predicate, { kind: 'attribute' }>,
): boolean {
  const own = attributes.get(name);
  if (own === undefined || value === null) return own !== undefined;
  return isPart ? own.includes(value) : own === value;
}

const textIn = ({ children }: MarkupElement): string =>
  children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');

/** The attribute of the elements that the path leads to, or their text. */
export function queryMarkup(text: string, steps: readonly Step[], attribute: string | undefined): string[] {
  let length = 0;
  return new Search().run(markupTree(text), steps).map((one) => {
    const value = attribute === undefined ? textIn(one) : (one.attributes.get(attribute) ?? '');
    length += value.length;
    // The texts of nested elements contain each other.
    if (length > LONGEST_VALUE) throw new ExpressionLimitExceeded('an xpath finds too much text');
    return value;
  });
}
