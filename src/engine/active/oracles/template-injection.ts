import { randomInt } from 'node:crypto';
import type { Page } from '../../page';
import { type Experiment, type Oracle, randomWord } from '../experiment';
import type { Outcome } from '../outcome';
import { firstProof, JudgedAnswers, type Reader } from './variants';

/** How engines write an expression; `_` stands for arithmetic. */
const SYNTAXES = ['{{_}}', '${_}', '<%= _ %>', '#{_}', '{_}', '@(_)', '#set($x=_)${x}', '[[${_}]]'];

interface Dialect {
  readonly engine: string;
  /** Arithmetic that this engine alone computes so. */
  expression(one: number, other: number): string;
  result(one: number, other: number): string;
}

const REPEATED = 3;
/** A string times a number repeats it in Python. */
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

/** Five digits, whose product fits into 31 bits, where some engines end. */
const randomNumber = (): number => randomInt(10_000, 46_340);

interface Attempt {
  readonly value: string;
  readonly read: Reader;
}

const inSyntax = (syntax: string, expression: string): string => syntax.replace('_', () => expression);

/** Some engines write numbers as people of a country do. */
const written = (result: string): string => result.split('').join("[,.\\u00a0\\u202f\\u2019' ]?");

/** The result between two random words that were sent around the expression. */
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

async function prove(syntax: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const computed = async (): Promise<string | null> => {
    const [one, other] = [randomNumber(), randomNumber()];
    const { value, read } = attempt(syntax, `${one}*${other}`, String(one * other));
    const seen = await answers.shows(value, `${one} × ${other} = ${one * other}`, read);
    return seen === null ? null : `${one} × ${other} = ${one * other}`;
  };
  if ((await computed()) === null) return null;
  const [one, other] = [randomNumber(), randomNumber()];
  const product = new RegExp(written(String(one * other)));
  const isText = await answers.lacks(
    `${randomWord()} ${one}*${other} ${randomWord()}`,
    `control: without the signs of a template, not ${one * other}`,
    ({ text }) => (product.test(text) ? `${one * other}` : null),
  );
  if (!isText) return null;
  const engine = experiment.isRepeat ? null : await engineOf(syntax, answers);
  const again = await computed();
  if (again === null) return null;
  const { name } = experiment.point;
  return {
    state: 'proved',
    detail: `The value of ${name} is run as a template${engine === null ? '' : ` by ${engine}`}, because inside of ${inSyntax(syntax, '…')} it computed ${again}.`,
    certainty: `Twice the product of two random numbers stood between two random words, in the place of its factors, and without the signs of a template it did not. A number of nine digits is there by chance once in 10^9, and both are once in 10^18.`,
    variant: syntax,
  };
}

/** Proves that a value is run as a template: arithmetic of random numbers is computed, and nothing else is sent. */
export const templateInjection: Oracle = {
  appliesTo: ({ reflected }) => reflected,
  observe(experiment) {
    const answers = new JudgedAnswers(experiment);
    return firstProof(experiment, answers, {
      candidates: async () => {
        const word = randomWord();
        const isShown = await answers.shows(word, 'whether the page repeats a word', ({ text }) =>
          text.toLowerCase().includes(word) ? 'it does' : null,
        );
        return isShown === null ? [] : SYNTAXES;
      },
      prove: (syntax) => prove(syntax, experiment, answers),
      otherwise: 'no arithmetic is computed in the syntax of a template',
    });
  },
};
