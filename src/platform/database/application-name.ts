import { hostname } from 'node:os';
import { packageVersion } from '../../kernel/package-version';

/** PostgreSQL cuts longer names. */
const MAX_LENGTH = 63;

let program = 'process';

/** `status` of the command line lists the processes by the names of their connections. */
export function nameProgram(name: string): void {
  program = name;
}

/** The program, its version, and the process: `assay api 0.1.0 web-1:4711`. */
export function applicationName(): string {
  const [start, end] = [`assay ${program} ${packageVersion} `, `:${process.pid}`];
  return `${start}${hostname().slice(0, MAX_LENGTH - start.length - end.length)}${end}`;
}
