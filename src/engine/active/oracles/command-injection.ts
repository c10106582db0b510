import { unlessBroken } from '../broken-response';
import type { Experiment, Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { type ComputationSyntax, proveComputation } from './computation';
import { type DelaySyntax, firstDelay } from './delays';

const SOUND = 'no shell computes or waits for what is in the value';

interface Unquoted {
  readonly id: string;
  readonly before: string;
  readonly after?: string;
  readonly place: string;
}

/** What follows the value in the command becomes more words of `echo`, and is not run. */
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

/** No command but arithmetic, and no redirection. These leave the application's command whole. */
const INSIDE: readonly ComputationSyntax[] = [
  {
    id: 'substitution',
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}$(expr ${one} + ${other})`,
    // Literal in double quotes too, where the same is computed.
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

/**
 * They end the application's command at the value: of `rm -r /cache/VALUE/old` the first half runs. So they come last, and
 * only where nothing inside the command is computed or waits.
 */
const SEPARATED: readonly ComputationSyntax[] = [
  echo({ id: 'semicolon', before: ';', place: PLAIN }),
  echo({ id: 'pipe', before: '|', place: PLAIN }),
  echo({ id: 'ampersand', before: '&', place: PLAIN }),
  echo({ id: 'line', before: '\n', place: PLAIN }),
  echo({ id: 'single-quotes', before: "';", after: " '", place: SINGLE }),
  echo({ id: 'double-quotes', before: '";', after: ' "', place: DOUBLE }),
  {
    id: 'expr',
    place: PLAIN,
    isSum: true,
    write: (value, one, other) => `${value}|expr ${one} + ${other}`,
    quote: (value, one, other) => `${value}|echo expr ${one} + ${other}`,
  },
  cmd({ id: 'cmd', before: '&', place: WINDOWS }),
  cmd({ id: 'cmd-pipe', before: '|', place: WINDOWS }),
  cmd({ id: 'cmd-quotes', before: '"&', after: '&"', place: WINDOWS }),
];

/** Nothing is printed, so the command stays as it is. */
const DELAYS: readonly DelaySyntax[] = [
  { id: 'sleep', by: 'A shell', write: (value, seconds) => `${value}$(sleep ${seconds})` },
  { id: 'sleep-single-quotes', by: 'A shell', write: (value, seconds) => `${value}'$(sleep ${seconds})'` },
  { id: 'sleep-backticks', by: 'A shell', write: (value, seconds) => `${value}\`sleep ${seconds}\`` },
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
    const isStored = ({ id }: { readonly id: string }): boolean => id === variant;
    const isKnown = [...INSIDE, ...DELAYS, ...SEPARATED].some(isStored);
    const tried = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
      isRepeat && isKnown ? all.filter(isStored) : [...all.filter(isStored), ...all.filter((one) => !isStored(one))];
    const inside = await firstComputation(experiment, tried(INSIDE));
    if (inside !== null) return inside;
    const detailOf = ({ by }: DelaySyntax): string => `${by} waits as long as the value says.`;
    const delay = await firstDelay(experiment, isRepeat ? 1 : 2, tried(DELAYS), detailOf);
    if (delay?.state === 'proved') return delay;
    return (await firstComputation(experiment, tried(SEPARATED))) ?? delay ?? experiment.sound(SOUND);
  },
};
