import { type Expression, parseExpression } from './expressions/parse-expression';
import { TextTemplate } from './expressions/text-template';
import { ReadingBudget } from './expressions/tokens';
import { blockValueName } from './placeholders';

const HYPHENATED = /(?<=\{\{\s{0,9})[A-Za-z_]\w*(?:-\w+)+(?=\s{0,9}\}\})/g;

/** The parsed texts and expressions of one template, each parsed once. */
export class TemplateTexts {
  private readonly budget = new ReadingBudget();
  private readonly names: ReadonlySet<string>;
  private readonly templates = new Map<string, TextTemplate>();
  private readonly expressions = new Map<string, Expression>();
  private readonly aliases = new Map<string, string>();
  private readonly originals = new Map<string, string>();

  /** In expressions a hyphen is a minus sign, so declared names with hyphens get an alias without. */
  constructor(names: readonly string[] = []) {
    this.names = new Set(names);
    for (const name of names) if (name.includes('-')) this.addAlias(name);
  }

  template(source: string): TextTemplate {
    const known = this.templates.get(source) ?? TextTemplate.parse(this.withAliases(source), this.budget);
    this.templates.set(source, known);
    return known;
  }

  /** Throws an ExpressionError if it cannot be read. */
  expression(source: string): Expression {
    const known = this.expressions.get(source) ?? parseExpression(this.withAliases(source), this.budget);
    this.expressions.set(source, known);
    return known;
  }

  /** The alias of a declared name in expressions. */
  aliasOf(name: string): string {
    return this.aliases.get(name) ?? name;
  }

  /** The declared name of an alias. */
  declared(name: string): string {
    return this.originals.get(name) ?? name;
  }

  private withAliases(source: string): string {
    return source.replaceAll(HYPHENATED, (name) => {
      if (blockValueName(name) !== null) this.addAlias(name);
      return this.aliasOf(name);
    });
  }

  private addAlias(name: string): void {
    const alias = name.replaceAll('-', '_');
    const own = this.names.has(alias) ? `${alias}_hyphenated` : alias;
    this.aliases.set(name, own);
    this.originals.set(own, name);
  }
}
