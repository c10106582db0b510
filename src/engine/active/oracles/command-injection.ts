import { unlessBroken } from '../broken-response';
import type { Experiment, Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { type ComputationSyntax, proveComputation } from './computation';
import { type DelaySyntax, firstDelay } from './delays';
import { isThorough, withTried } from './variants';

const SOUND = 'no shell computes or waits for what is in the value';

interface Unquoted {
  readonly id: string;
  readonly before: string;
  readonly after?: string;
  readonly place: string;
}

/** The rest of the command line becomes further arguments of `echo`, and is not run. */
const echo = ({ id, before, after = '', place }: Unquoted): ComputationSyntax => ({
  id,
  place,
  write: (value, one, other) => `${value}${before}echo $((${one}*${other}))${after}`,
  quote: (value, one, other) => `${value}${before}echo '$((${one}*${other}))'${after}`,
});

const cmd = ({ id, before, after = '', place }: Unquoted): ComputationSyntax => ({
  id,
  place,
  write: (value, one, other) => `${value}${before}set /a ${one}*${other}${after}`,
  quote: (value, one, other) => `${value}${before}echo set /a ${one}*${other}${after}`,
});

const PLAIN = 'a word of a shell command';
const SINGLE = 'a word in single quotes of a shell command';
const DOUBLE = 'a word in double quotes of a shell command';
const WINDOWS = 'a word of a command of cmd.exe';

/** Replaces a space, for filters that remove spaces. */
const GAP = '${IFS}';

/** Only arithmetic, and no redirection. These syntaxes leave the application's command intact. */
const INSIDE: readonly ComputationSyntax[] = [
  {
    id: 'substitution',
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}$(expr ${one} + ${other})`,
    // Also literal in double quotes, where the same is computed.
    quote: (value, one, other) => `${value}\\$\\(expr ${one} + ${other}\\)`,
  },
  {
    id: 'backticks',
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}\`expr ${one} + ${other}\``,
    quote: (value, one, other) => `${value}'\`expr ${one} + ${other}\`'`,
  },
  {
    id: 'substitution-single-quotes',
    place: SINGLE,
    isSum: true,
    write: (value, one, other) => `${value}'$(expr ${one} + ${other})'`,
    quote: (value, one, other) => `${value}$(expr ${one} + ${other})`,
  },
];

/** A tab replaces the space, and `$` and parentheses are not used, for filters that remove those but leave a separator. */
const expr = ({ id, before, after = '', place }: Unquoted): ComputationSyntax => ({
  id,
  place,
  isSum: true,
  write: (value, one, other) => `${value}${before}expr\t${one}\t+\t${other}${after}`,
  quote: (value, one, other) => `${value}${before}echo\texpr\t${one}\t+\t${other}${after}`,
});

/**
 * These end the application's command at the value: of `rm -r /cache/VALUE/old`, the first half runs. They are tried last, and
 * only if nothing inside the command computes or waits.
 */
const SEPARATED: readonly ComputationSyntax[] = [
  expr({ id: 'semicolon-expr', before: ';', place: PLAIN }),
  expr({ id: 'pipe-expr', before: '|', place: PLAIN }),
  expr({ id: 'ampersand-expr', before: '&', place: PLAIN }),
  expr({ id: 'line-expr', before: '\n', place: PLAIN }),
  echo({ id: 'single-quotes', before: "';", after: " '", place: SINGLE }),
  echo({ id: 'double-quotes', before: '";', after: ' "', place: DOUBLE }),
  cmd({ id: 'cmd', before: '&', place: WINDOWS }),
  cmd({ id: 'cmd-pipe', before: '|', place: WINDOWS }),
  cmd({ id: 'cmd-quotes', before: '"&', after: '&"', place: WINDOWS }),
];

/** Only in a retest: syntaxes that an incomplete fix may let through. */
const FURTHER_INSIDE: readonly ComputationSyntax[] = [
  {
    id: 'arithmetic',
    place: PLAIN,
    write: (value, one, other) => `${value}$((${one}*${other}))`,
    quote: (value, one, other) => `${value}\\$\\(\\(${one}*${other}\\)\\)`,
  },
  {
    id: 'substitution-gap',
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}$(expr${GAP}${one}${GAP}+${GAP}${other})`,
    quote: (value, one, other) => `${value}\\$\\(expr${GAP}${one}${GAP}+${GAP}${other}\\)`,
  },
  {
    id: 'backticks-tab',
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}\`expr\t${one}\t+\t${other}\``,
    quote: (value, one, other) => `${value}'\`expr\t${one}\t+\t${other}\`'`,
  },
];

/** Uses what the others avoid, and no word that filters know. */
const FURTHER_SEPARATED: readonly ComputationSyntax[] = [
  echo({ id: 'semicolon', before: ';', place: PLAIN }),
  echo({ id: 'pipe', before: '|', place: PLAIN }),
  echo({ id: 'ampersand', before: '&', place: PLAIN }),
  echo({ id: 'line', before: '\n', place: PLAIN }),
  {
    id: 'expr',
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}|expr ${one} + ${other}`,
    quote: (value, one, other) => `${value}|echo expr ${one} + ${other}`,
  },
  ...[
    { id: 'semicolon-gap', sign: ';', gap: GAP },
    { id: 'pipe-tab', sign: '|', gap: '\t' },
    { id: 'line-tab', sign: '\n', gap: '\t' },
  ].map(({ id, sign, gap }): ComputationSyntax => ({
    id,
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}${sign}e''xpr${gap}${one}${gap}+${gap}${other}`,
    quote: (value, one, other) => `${value}${sign}e''cho${gap}${one}${gap}+${gap}${other}`,
  })),
];

/** These print nothing, so the command stays intact. */
const DELAYS: readonly DelaySyntax[] = [
  { id: 'sleep', by: 'A shell', write: (value, seconds) => `${value}$(sleep ${seconds})` },
  { id: 'sleep-single-quotes', by: 'A shell', write: (value, seconds) => `${value}'$(sleep ${seconds})'` },
  { id: 'sleep-backticks', by: 'A shell', write: (value, seconds) => `${value}\`sleep ${seconds}\`` },
];

const FURTHER_DELAYS: readonly DelaySyntax[] = [
  { id: 'sleep-gap', by: 'A shell', write: (value, seconds) => `${value}$(s''leep${GAP}${seconds})` },
];

async function firstComputation(
  experiment: Experiment,
  syntaxes: readonly ComputationSyntax[],
): Promise<Outcome | null> {
  for (const syntax of syntaxes) {
    const certainty = await unlessBroken(() => proveComputation(experiment, syntax));
    const detail = `A shell computes what is in the value, which is ${syntax.place}.`;
    if (certainty !== null) return { state: 'proved', detail, certainty, variant: syntax.id };
  }
  return null;
}

export const commandInjectionOracle: Oracle = {
  measuresTime: true,
  async observe(experiment) {
    const { variant, isRepeat } = experiment;
    const isFull = isThorough(experiment);
    const names: string[] = [];
    const isStored = ({ id }: { readonly id: string }): boolean => id === variant;
    const all = [...INSIDE, ...FURTHER_INSIDE, ...DELAYS, ...FURTHER_DELAYS, ...SEPARATED, ...FURTHER_SEPARATED];
    const isKnown = all.some(isStored);
    const tried = <T extends { readonly id: string }>(usual: readonly T[], further: readonly T[]): readonly T[] => {
      const stored = [...usual, ...further].filter(isStored);
      const others = [...usual, ...(isFull ? further : [])].filter((one) => !isStored(one));
      const chosen = isRepeat && isKnown ? stored : [...stored, ...others];
      names.push(...chosen.map(({ id }) => id));
      return chosen.map((one) => ({ ...one, gap: GAP }));
    };
    const inside = await firstComputation(experiment, tried(INSIDE, FURTHER_INSIDE));
    if (inside !== null) return inside;
    const detailOf = ({ by }: DelaySyntax): string => `${by} waits as long as the value says.`;
    const delay = await firstDelay(experiment, isFull ? 2 : 1, tried(DELAYS, FURTHER_DELAYS), detailOf);
    if (delay?.state === 'proved') return delay;
    const separated = await firstComputation(experiment, tried(SEPARATED, FURTHER_SEPARATED));
    return separated ?? delay ?? experiment.sound(withTried(SOUND, names));
  },
};
