import { randomInt } from 'node:crypto';
import type { Page } from '../../page';
import { decodedEntities } from '../../entities';
import { type Experiment, type Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { firstProof, JudgedAnswers, type Reader } from './variants';
import { randomWord } from '../../twins';

/** The expression syntaxes of engines; `_` stands for the arithmetic. */
const SYNTAXES = ['{{_}}', '${_}', '<%= _ %>', '#{_}', '{_}', '@(_)', '#set($x=_)${x}', '[[${_}]]'];

/** The operation to compute; by default the product of two numbers. */
interface Operation {
  readonly sign: string;
  /** Two random values. */
  values(): readonly [string, string];
  write(one: string, other: string): string;
  result(one: string, other: string): string;
}

interface Way {
  readonly syntax: string;
  readonly operation: Operation;
}

interface Dialect {
  readonly engine: string;
  /** Arithmetic whose result only this engine gives. */
  expression(one: number, other: number): string;
  result(one: number, other: number): string;
}

/** Groups of syntaxes that can be sent together, because no engine refuses one because of another. */
const TOGETHER: readonly (readonly string[])[] = [
  ['{{_}}', '${_}', '#{_}', '@(_)', '[[${_}]]'],
  ['<%= _ %>', '{_}', '#set($x=_)${x}'],
];

const REPEATED = 3;
/** In Python, a string times a number is repeated. */
const PYTHON: Omit<Dialect, 'engine'> = {
  expression: (one) => `${REPEATED}*'${one}'`,
  result: (one) => String(one).repeat(REPEATED),
};
const RUBY: Omit<Dialect, 'engine'> = {
  expression: (one) => `'${one}'*${REPEATED}`,
  result: (one) => String(one).repeat(REPEATED),
};
const SCRIPT: Omit<Dialect, 'engine'> = {
  expression: (one) => `'${one}'*${REPEATED}`,
  result: (one) => String(one * REPEATED),
};

/** In the order in which they are tried. */
const DIALECTS: Readonly<Record<string, readonly Dialect[]>> = {
  '{{_}}': [
    {
      engine: 'Jinja2',
      expression: (one, other) => `${REPEATED}*'${one}'~${other}`,
      result: (one, other) => `${String(one).repeat(REPEATED)}${other}`,
    },
    {
      engine: 'Twig',
      expression: (one, other) => `${one} b-xor ${other}`,
      result: (one, other) => String(one ^ other),
    },
    { engine: 'an engine of Python such as Tornado', ...PYTHON },
    { engine: 'an engine of JavaScript such as Nunjucks', ...SCRIPT },
  ],
  '${_}': [
    { engine: 'an engine of Python such as Mako', ...PYTHON },
    { engine: 'an engine of JavaScript', ...SCRIPT },
  ],
  '<%= _ %>': [
    { engine: 'ERB', ...RUBY },
    { engine: 'EJS', ...SCRIPT },
  ],
  '#{_}': [
    { engine: 'an engine of Ruby such as Slim', ...RUBY },
    { engine: 'Pug', ...SCRIPT },
  ],
  '#set($x=_)${x}': [
    { engine: 'Velocity', expression: (one, other) => `${one}+${other}`, result: (one, other) => String(one + other) },
  ],
  '{_}': [
    {
      engine: 'an engine of PHP such as Smarty',
      expression: (one, other) => `${one}+${other}`,
      result: (one, other) => String(one + other),
    },
  ],
};

/** Five digits, so that the product fits into 31 bits, the limit of some engines. */
const randomNumber = (): number => randomInt(10_000, 46_340);

/** The sum fits into 31 bits as well. */
const randomAddend = (): number => randomInt(400_000_000, 1_000_000_000);

const PRODUCT: Operation = {
  sign: '×',
  values: () => [String(randomNumber()), String(randomNumber())],
  write: (one, other) => `${one}*${other}`,
  result: (one, other) => String(Number(one) * Number(other)),
};
const SUM: Operation = {
  sign: '+',
  values: () => [String(randomAddend()), String(randomAddend())],
  write: (one, other) => `${one}+${other}`,
  result: (one, other) => String(Number(one) + Number(other)),
};
/** For Jinja2 and Twig, without digits. */
const REVERSE: Operation = {
  sign: 'reversed after',
  values: () => [randomWord(), randomWord()],
  write: (one, other) => `'${one}${other}'|reverse`,
  result: (one, other) => `${one}${other}`.split('').toReversed().join(''),
};

/** Further ways, by the names that findings store. */
const FURTHER: ReadonlyMap<string, Way> = new Map([
  ...['{%print(_)%}', '{%-print(_)-%}', '<%- _ %>', '*{_}', '[=_]'].map(
    (syntax) => [syntax, { syntax, operation: PRODUCT }] as const,
  ),
  ...['{{_}}', '${_}'].map((syntax) => [`${syntax} with a sum`, { syntax, operation: SUM }] as const),
  ...['{{_}}', '{%print(_)%}'].map((syntax) => [`${syntax} with a word`, { syntax, operation: REVERSE }] as const),
]);

const wayOf = (variant: string): Way => FURTHER.get(variant) ?? { syntax: variant, operation: PRODUCT };

interface Attempt {
  readonly value: string;
  readonly read: Reader;
}

const inSyntax = (syntax: string, expression: string): string => syntax.replace('_', () => expression);

/** Some engines format numbers by locale. */
const written = (result: string): string => result.split('').join("[,.\\u00a0\\u202f\\u2019' ]?");

/** Looks for the result between two random words that were sent around the expression. */
function attempt(syntax: string, expression: string, result: string): Attempt {
  const [before, after] = [randomWord(), randomWord()];
  const pattern = new RegExp(`${before}\\s{0,3}${written(result)}\\s{0,3}${after}`, 'i');
  return {
    value: `${before}${inSyntax(syntax, expression)}${after}`,
    read: ({ text }: Page) => (pattern.test(text) ? `${result} between the words` : null),
  };
}

async function engineOf(syntax: string, answers: JudgedAnswers): Promise<string | null> {
  for (const { engine, expression, result } of DIALECTS[syntax] ?? []) {
    const [one, other] = [randomNumber(), randomNumber()];
    const { value, read } = attempt(syntax, expression(one, other), result(one, other));
    if ((await answers.shows(value, `${result(one, other)} if it is ${engine}`, read)) !== null) return engine;
  }
  return null;
}

async function prove(variant: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const { syntax, operation } = wayOf(variant);
  const computed = async (): Promise<string | null> => {
    const [one, other] = operation.values();
    const result = operation.result(one, other);
    const { value, read } = attempt(syntax, operation.write(one, other), result);
    const said = `${one} ${operation.sign} ${other} = ${result}`;
    return (await answers.shows(value, said, read)) === null ? null : said;
  };
  if ((await computed()) === null) return null;
  const [one, other] = operation.values();
  const result = operation.result(one, other);
  const shown = new RegExp(written(result));
  const isText = await answers.lacks(
    `${randomWord()} ${operation.write(one, other)} ${randomWord()}`,
    `control: without the signs of a template, not ${result}`,
    ({ text }) => (shown.test(text) ? result : null),
  );
  if (!isText) return null;
  const engine = experiment.isRepeat ? null : await engineOf(variant, answers);
  const again = await computed();
  if (again === null) return null;
  const { name } = experiment.point;
  return {
    state: 'proved',
    detail: `The value of ${name} is run as a template${engine === null ? '' : ` by ${engine}`}, because inside of ${inSyntax(syntax, '…')} it computed ${again}.`,
    certainty: `Twice what was computed of two random values stood between two random words, in their place, and without the signs of a template it did not. A number of nine digits is there by chance once in 10^9, and both are once in 10^18.`,
    variant,
  };
}

/** Whether the page repeats all syntaxes unchanged wherever it shows the value, so that no engine runs them. */
async function isRepeatedAsSent(answers: JudgedAnswers): Promise<boolean> {
  for (const syntaxes of TOGETHER) {
    const word = randomWord();
    const value = [word, ...syntaxes.map((syntax) => inSyntax(syntax, `${randomNumber()}*${randomNumber()}`))].join(
      ' ',
    );
    const asSent = await answers.shows(value, 'whether the page changes what it repeats', ({ text }) => {
      const shown = decodedEntities(text);
      const isIn = shown.includes(word) && !shown.replaceAll(value, '').includes(word);
      return isIn ? 'it repeats the value as it was sent' : null;
    });
    if (asSent === null) return false;
  }
  return true;
}

/** Proves that a value is run as a template: random numbers are computed. Only arithmetic is sent. */
export const templateInjection: Oracle = {
  appliesTo: ({ reflected }) => reflected,
  observe(experiment) {
    const answers = new JudgedAnswers(experiment);
    return firstProof(experiment, answers, {
      candidates: async () => {
        // In a job, this check is made at each point.
        if (experiment.variant === null && (await isRepeatedAsSent(answers))) return [];
        const word = randomWord();
        const isShown = await answers.shows(word, 'whether the page repeats a word', ({ text }) =>
          text.toLowerCase().includes(word) ? 'it does' : null,
        );
        return isShown === null ? [] : SYNTAXES;
      },
      further: [...FURTHER.keys()],
      prove: (syntax) => prove(syntax, experiment, answers),
      otherwise: 'no arithmetic is computed in the syntax of a template',
    });
  },
};
