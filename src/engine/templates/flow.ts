import { ExpressionError } from './expressions/value';

/** The blocks that run, and the condition under which the template matches. */
export type Flow =
  | { readonly kind: 'block'; readonly index: number }
  | { readonly kind: 'not'; readonly flow: Flow }
  | { readonly kind: 'and'; readonly left: Flow; readonly right: Flow }
  | { readonly kind: 'or'; readonly left: Flow; readonly right: Flow };

const TOKEN = /\s*(?:(?<call>http\(\s*(?:(?<number>\d{1,2})\s*)?\))|(?<operator>&&|\|\||[!(){};]|if\b))/y;

const NOT_SIMPLE =
  'is not supported: only http(1), http(2) and so on, joined with &&, ||, !, if and parentheses; scripts do not run';

const DEEPEST = 10;

type Token = { readonly call: string; readonly number?: string } | { readonly operator: string };

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const text = source.trimEnd();
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const { call, number, operator } = TOKEN.exec(text)?.groups ?? {};
    if (call !== undefined) tokens.push({ call, number });
    else if (operator !== undefined) tokens.push({ operator });
    else throw new ExpressionError(NOT_SIMPLE);
  }
  return tokens;
}

class FlowParser {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly blocks: number,
  ) {}

  whole(): Flow {
    const flow = this.statement(0);
    if (this.at < this.tokens.length) throw new ExpressionError(NOT_SIMPLE);
    return flow;
  }

  /** `if (…) { … }` is equivalent to `&&`: blocks only run where the flow mentions them. */
  private statement(depth: number): Flow {
    if (!this.takes('if') || depth > DEEPEST) {
      const flow = this.either();
      this.takes(';');
      return flow;
    }
    this.expect('(');
    const left = this.either();
    this.expect(')');
    this.expect('{');
    const right = this.statement(depth + 1);
    this.expect('}');
    return { kind: 'and', left, right };
  }

  private expect(operator: string): void {
    if (!this.takes(operator)) throw new ExpressionError(NOT_SIMPLE);
  }

  private takes(operator: string): boolean {
    const token = this.tokens[this.at];
    const isNext = token !== undefined && 'operator' in token && token.operator === operator;
    if (isNext) this.at += 1;
    return isNext;
  }

  private either(): Flow {
    let left = this.both();
    while (this.takes('||')) left = { kind: 'or', left, right: this.both() };
    return left;
  }

  private both(): Flow {
    let left = this.one();
    while (this.takes('&&')) left = { kind: 'and', left, right: this.one() };
    return left;
  }

  private one(): Flow {
    if (this.takes('!')) return { kind: 'not', flow: this.one() };
    if (this.takes('(')) {
      const flow = this.either();
      this.expect(')');
      return flow;
    }
    const token = this.tokens[this.at];
    if (token === undefined || !('call' in token) || token.number === undefined) throw new ExpressionError(NOT_SIMPLE);
    this.at += 1;
    const index = Number(token.number) - 1;
    if (index < 0 || index >= this.blocks)
      throw new ExpressionError(`names http(${token.number}), which does not exist`);
    return { kind: 'block', index };
  }
}

/** Parses a flow without scripts. Throws an ExpressionError that says what is not supported. */
export const parseFlow = (source: string, blocks: number): Flow => new FlowParser(tokensOf(source), blocks).whole();

export function* blocksOf(flow: Flow): Generator<number> {
  if (flow.kind === 'block') yield flow.index;
  else if (flow.kind === 'not') yield* blocksOf(flow.flow);
  else {
    yield* blocksOf(flow.left);
    yield* blocksOf(flow.right);
  }
}
