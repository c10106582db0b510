import { spawn } from 'node:child_process';
import type { Session } from './session';

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export function openInBrowser({ output, terminal: { env } }: Session, url: string): void {
  const [command = '', ...parameters] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...parameters, url], { stdio: 'ignore', detached: true, env });
  child.once('error', () => output.say('No browser could be started.'));
  child.unref();
}
