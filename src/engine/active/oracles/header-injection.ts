import type { Page } from '../../page';
import { type Experiment, type Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { firstProof, JudgedAnswers, type Reader } from './variants';
import { randomWord } from '../../twins';

/**
 * Line breaks by the names that findings store. Some only become line breaks when they are decoded again, or when characters are
 * cut to bytes.
 */
const BREAKS: ReadonlyMap<string, string> = new Map([
  ['CR LF', '\r\n'],
  ['LF', '\n'],
  ['CR LF, encoded once more', '%0d%0a'],
  ['characters whose low bytes are CR LF', '\u560d\u560a'],
]);

const FURTHER_BREAKS: ReadonlyMap<string, string> = new Map([
  ['CR', '\r'],
  ['LF, encoded once more', '%0a'],
  ['CR LF, encoded twice more', '%250d%250a'],
]);

const headerOf =
  (name: string, value: string): Reader =>
  ({ headers }: Page) =>
    headers.all(name).some((one) => one.includes(value)) ? `the header ${name}` : null;

async function prove(variant: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const lineBreak = BREAKS.get(variant) ?? FURTHER_BREAKS.get(variant);
  if (lineBreak === undefined) return null;
  const { name: parameter, value: original } = experiment.point;
  const made = (separator: string): { readonly sent: string; readonly name: string; readonly read: Reader } => {
    const [name, value] = [`X-${randomWord()}`, randomWord()];
    return { sent: `${original}${separator}${name}: ${value}`, name, read: headerOf(name, value) };
  };
  const shown = async (): Promise<string | null> => {
    const { sent, name, read } = made(lineBreak);
    return answers.shows(sent, `the header ${name}`, read);
  };
  if ((await shown()) === null) return null;
  const control = made(' ');
  if (!(await answers.lacks(control.sent, 'control: without a line break there is no such header', control.read)))
    return null;
  const seen = await shown();
  if (seen === null) return null;
  return {
    state: 'proved',
    detail: `A line break in the value of ${parameter} (${variant}) made ${seen} of the response.`,
    certainty: `Two headers whose names and values are random words of nine letters were in the responses that they were sent for, and none without a line break. One name is there by chance once in 20^9 = 512,000,000,000; both are once in 2.6 × 10^23.`,
    variant,
  };
}

/** Proves that a value can end its line in a response header. */
export const headerInjection: Oracle = {
  // A redirect may repeat addresses but not words.
  appliesTo: ({ reflected, changes }) => reflected || changes,
  observe(experiment) {
    const answers = new JudgedAnswers(experiment);
    return firstProof(experiment, answers, {
      candidates: async () => {
        const word = randomWord();
        const place = await answers.shows(
          `${experiment.point.value}${word}`,
          'in which header the response repeats a word',
          ({ headers }) => headers.fields.find(([, value]) => value.toLowerCase().includes(word))?.[0] ?? null,
        );
        return place === null ? [] : [...BREAKS.keys()];
      },
      further: [...FURTHER_BREAKS.keys()],
      prove: (variant) => prove(variant, experiment, answers),
      otherwise: 'no line break in the value makes a header',
    });
  },
};
