import type { ReflectedPlace, SentText } from '../../protocols/http/reflected-text';
import { reflectionIn } from '../../protocols/http/reflection';
import { type Experiment, type Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { firstProof, JudgedAnswers } from './variants';
import { randomWord } from '../../twins';

/** Placeholder for a random name that no element, attribute or variable has, so that nothing runs in any browser. */
const NAME = '@';
const ELEMENT = '<@></@>';

const MOST_SYNTAXES = 12;

/** Ways to end a string or a comment of a script. The last one is for pages that escape the quote but not the backslash. */
const IN_SCRIPT: Readonly<Record<string, readonly string[]>> = {
  code: ['(@)'],
  "'": ["'-@-'", "\\'-@//"],
  '"': ['"-@-"', '\\"-@//'],
  '`': ['${@}', '`-@-`'],
  '/': ['/-@-/'],
  '//': ['\n(@)//'],
  '/*': ['*/(@)/*'],
};

const IN_PLACE: {
  readonly [Kind in ReflectedPlace['kind']]: (place: ReflectedPlace & { kind: Kind }) => readonly string[];
} = {
  // The second one passes filters that remove complete tags, the third one those in front of another decoder.
  text: () => [ELEMENT, '<@ ', '%3C@%3E%3C/@%3E'],
  comment: () => [`-->${ELEMENT}`, `--!>${ELEMENT}`],
  data: () => [`]]>${ELEMENT}<![CDATA[`],
  name: () => [' @=', `>${ELEMENT}`],
  address: () => ['javascript:(@)'],
  value: ({ quote }) => (quote === '' ? [' @=', `>${ELEMENT}`] : [`${quote}@=${quote.trim()}`, `${quote}>${ELEMENT}`]),
  raw: ({ element }) => [`</${element}>${ELEMENT}`],
  script: ({ opening, isElement }) => [...(IN_SCRIPT[opening] ?? []), ...(isElement ? [`</script>${ELEMENT}`] : [])],
};

/**
 * For filters that remove only the first character, and for code that decodes character references or normalizes full-width
 * characters.
 */
const FURTHER: readonly string[] = [
  `<${ELEMENT}`,
  '&lt;@&gt;&lt;/@&gt;',
  '\uff1c@\uff1e\uff1c/@\uff1e',
  '%253C@%253E%253C/@%253E',
  `"'>${ELEMENT}`,
];

const syntaxesFor = <Kind extends ReflectedPlace['kind']>(place: ReflectedPlace & { kind: Kind }): readonly string[] =>
  IN_PLACE[place.kind](place);

/** Takes one syntax of each place in turn. */
function inTurns(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? []));
  return [...new Set(turns.flat())].slice(0, MOST_SYNTAXES);
}

/** A value with the syntax, and what a browser makes of it if it is not escaped. */
function valueOf(syntax: string): { readonly value: string; readonly plain: string; readonly sent: SentText } {
  const [word, name] = [randomWord(), randomWord()];
  const [, sign = ''] = /([({-])@/.exec(syntax) ?? [];
  const prefix = syntax.startsWith('javascript:') ? '' : word;
  const value = `${prefix}${syntax.replaceAll(NAME, name)}`;
  return {
    value,
    plain: value.replaceAll(/[^a-z]+/g, '.'),
    sent: { word: name, isName: (one) => one === name, code: sign === '' ? '\0' : `${sign}${name}` },
  };
}

async function prove(syntax: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const [first, control, second] = [valueOf(syntax), valueOf(syntax), valueOf(syntax)];
  const shows = ({ value, sent }: typeof first): Promise<string | null> =>
    answers.shows(value, `${sent.word} becomes markup or code`, (answer) => reflectionIn(answer, sent).created);
  if ((await shows(first)) === null) return null;
  const isSignless = await answers.lacks(
    control.plain,
    'control: no markup or code without its signs',
    (answer) => reflectionIn(answer, control.sent).created,
  );
  const created = isSignless ? await shows(second) : null;
  if (created === null) return null;
  return {
    state: 'proved',
    detail: `A browser reads ${second.value.trim()} in the value of ${experiment.point.name} as ${created}.`,
    certainty: `Two random names of nine letters became ${created}, and a third one without the signs did not. That a page contains such a name by chance is less likely than 1 to 20^9 = 512,000,000,000, and twice 1 to 2.6 × 10^23.`,
    variant: syntax,
  };
}

/** Proves that input becomes an element, an attribute or code where a browser shows it. */
export const reflectedXss: Oracle = {
  appliesTo: ({ reflected }) => reflected,
  observe(experiment) {
    const answers = new JudgedAnswers(experiment);
    const candidates = async (): Promise<readonly string[]> => {
      const { seen } = experiment.prior;
      const word = seen?.word.value ?? randomWord();
      // Some pages cut off the last character.
      const canary: SentText = { word: word.slice(0, -1), isName: () => false, code: '\0' };
      let places = seen === undefined ? [] : reflectionIn(seen.word.answer, canary).places;
      if (places.length === 0)
        await answers.shows(word, 'where the page repeats a word', (answer) => {
          ({ places } = reflectionIn(answer, canary));
          return places.length === 0 ? null : `in: ${[...new Set(places.map(({ kind }) => kind))].join(', ')}`;
        });
      return inTurns(places.map(syntaxesFor));
    };
    return firstProof(experiment, answers, {
      candidates,
      further: FURTHER,
      prove: (syntax) => prove(syntax, experiment, answers),
      otherwise: 'the page does not repeat the value as markup or code',
    });
  },
};
