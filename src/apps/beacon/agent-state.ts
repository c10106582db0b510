import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { invalid } from '../../kernel/domain-error';
import { ConnectFailure } from './connect-failure';

/** What an agent keeps, by name. In a Secret of Kubernetes these are its keys. */
export const STATE_KEYS = [
  'beacon-id',
  'beacon-token',
  'beacon-name',
  /** The digest of the registration token that the credentials came from. */
  'registration',
  /** A token that may not be registered yet, and the digest of its registration token. */
  'pending-token',
  'pending-registration',
  /** Only read: the owner may put it here. */
  'registration-token',
] as const;
export type StateKey = (typeof STATE_KEYS)[number];
export type AgentState = Readonly<Partial<Record<StateKey, string>>>;

/** Null removes a value. */
export type StateChange = Readonly<Partial<Record<StateKey, string | null>>>;

export interface StateStore {
  /** For sentences about it. */
  readonly name: string;
  read(signal: AbortSignal): Promise<AgentState>;
  /** Fails if another agent has written since `read`. */
  write(change: StateChange, signal: AbortSignal): Promise<void>;
}

/** A place that another agent has written to: reading it again shows what is there now. */
export const stateConflict = (name: string): ConnectFailure =>
  new ConnectFailure(`${name} was changed by another agent.`, false);

/** A file that only its user can read, on a volume. */
export class FileState implements StateStore {
  readonly name: string;
  private known: string | undefined;

  constructor(private readonly path: string) {
    this.name = `The state file ${path}`;
  }

  async read(): Promise<AgentState> {
    this.known = this.text();
    if (this.known === undefined) return {};
    try {
      const values = JSON.parse(this.known) as Readonly<Record<string, unknown>>;
      return Object.fromEntries(
        STATE_KEYS.flatMap((key) => (typeof values[key] === 'string' ? [[key, values[key]]] : [])),
      );
    } catch {
      throw invalid(`${this.name} is not readable as JSON. Move it away, and create another registration token.`);
    }
  }

  async write(change: StateChange): Promise<void> {
    const before = this.known === undefined ? {} : (JSON.parse(this.known) as AgentState);
    if (this.text() !== this.known) throw stateConflict(this.name);
    const text = `${JSON.stringify({ ...before, ...change }, (_key, value: unknown) => value ?? undefined, 2)}\n`;
    const draft = `${this.path}.${randomUUID()}`;
    try {
      writeFileSync(draft, text, { mode: 0o600, flush: true });
      // Only one of several agents creates the file.
      if (this.known === undefined) linkSync(draft, this.path);
      else renameSync(draft, this.path);
      this.known = text;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw code === 'EEXIST' ? stateConflict(this.name) : invalid(`${this.name} cannot be written (${code}).`);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  private text(): string | undefined {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw invalid(`${this.name} cannot be read (${code}).`);
    }
  }
}
