import { printable } from '../../beacon-protocol/stream-failure';

type Field = string | number | boolean | null | readonly string[];
export type LogFields = Readonly<Record<string, Field | undefined>>;

/** The names of the log lines, for the programs that read them. docs/beacons.md describes each. */
export const LOG_EVENTS = [
  'started',
  'registered',
  'connected',
  'configured',
  'disconnected',
  'connection',
  'summary',
  'warning',
  'deleted',
  'stopping',
  'stopped',
] as const;

export type LogEvent = (typeof LOG_EVENTS)[number];

/** One line for each event: JSON, or text for people at a terminal. */
export class AgentLog {
  constructor(
    private readonly write: (line: string) => void,
    private readonly format: 'json' | 'text',
  ) {}

  info(event: LogEvent, message: string, fields: LogFields = {}): void {
    this.line('info', event, message, fields);
  }

  warn(event: LogEvent, message: string, fields: LogFields = {}): void {
    this.line('warn', event, message, fields);
  }

  private line(level: 'info' | 'warn', event: LogEvent, message: string, fields: LogFields): void {
    const time = new Date().toISOString();
    const text = printable(message);
    this.write(
      this.format === 'json'
        ? JSON.stringify({ time, level, event, message: text, ...fields })
        : `${time} ${level.padEnd(4)} ${text}`,
    );
  }
}
