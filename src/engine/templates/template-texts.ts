import { type Expression, parseExpression } from './expressions/parse-expression';
import { TextTemplate } from './expressions/text-template';

/** The texts and expressions of one template, each of them read once. */
export class TemplateTexts {
  private readonly templates = new Map<string, TextTemplate>();
  private readonly expressions = new Map<string, Expression>();

  template(source: string): TextTemplate {
    const known = this.templates.get(source) ?? TextTemplate.parse(source);
    this.templates.set(source, known);
    return known;
  }

  /** Throws an ExpressionError if it cannot be read. */
  expression(source: string): Expression {
    const known = this.expressions.get(source) ?? parseExpression(source);
    this.expressions.set(source, known);
    return known;
  }
}
