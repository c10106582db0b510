import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { safeLine } from '../../sdk/src';

type Environment = Readonly<Record<string, string | undefined>>;

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** What the runner of GitHub gives and takes. */
export class Runner {
  constructor(
    readonly env: Environment,
    private readonly print: (text: string) => void,
  ) {}

  input(name: string): string | undefined {
    const value = this.env[`INPUT_${name.toUpperCase()}`]?.trim();
    return value === '' ? undefined : value;
  }

  required(name: string): string {
    const value = this.input(name);
    if (value === undefined) throw new Error(`The input ${name} is missing.`);
    return value;
  }

  /** The runner hides it in all logs from now on. */
  hide(secret: string): void {
    this.print(`::add-mask::${escapeData(secret)}\n`);
  }

  /** Text of others: the runner obeys nothing in it, because it knows the token only afterwards. */
  log(text: string): void {
    const token = randomUUID();
    this.print(`::stop-commands::${token}\n${text.split('\n').map(safeLine).join('\n')}\n::${token}::\n`);
  }

  annotate(kind: 'error' | 'warning' | 'notice', title: string, text: string): void {
    this.print(`::${kind} title=${escapeProperty(safeLine(title))}::${escapeData(safeLine(text))}\n`);
  }

  output(name: string, value: string): void {
    const delimiter = `assay-${randomUUID()}`;
    this.append('GITHUB_OUTPUT', `${name}<<${delimiter}\n${safeLine(value)}\n${delimiter}\n`);
  }

  summary(markdown: string): void {
    this.append('GITHUB_STEP_SUMMARY', `${markdown}\n`);
  }

  private append(variable: string, text: string): void {
    const file = this.env[variable];
    if (file !== undefined && file !== '') appendFileSync(file, text);
  }
}
