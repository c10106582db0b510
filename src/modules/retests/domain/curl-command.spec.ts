import { execFileSync } from 'node:child_process';
import { curlCommand, shellQuoted } from './curl-command';

const ORIGIN = 'https://shop.test';

/** What a shell gives a program as its arguments. */
const argumentsIn = (command: string): string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${command}`])
    .toString('latin1')
    .split('\0')
    .slice(0, -1);

describe('an argument of a shell', () => {
  it.each([
    ["it's", "it's"],
    ['$(touch /tmp/x)`id`', '$(touch /tmp/x)`id`'],
    ['; rm -rf ~ && "$HOME" !! \\', '; rm -rf ~ && "$HOME" !! \\'],
    ['--output=/etc/passwd', '--output=/etc/passwd'],
    ["a\nb'c\\d\u001b[31m", "a\nb'c\\d\u001b[31m"],
  ])('%j reaches the program as it is', (text, expected) => {
    expect(argumentsIn(shellQuoted(text))).toEqual([expected]);
  });

  it('has only printable characters, so that a terminal shows what is run', () => {
    expect(shellQuoted('a\u001b]0;x\u0007ü\u202eb')).toMatch(/^[\x20-\x7e]+$/);
    expect(Buffer.from(argumentsIn(shellQuoted('ü'))[0] ?? '', 'latin1').toString()).toBe('ü');
  });
});

describe('the command for a request', () => {
  it('has the URL, the method, the fields and the body', () => {
    const request = {
      method: 'POST',
      path: '/graphql?a=%27 OR',
      headers: [['Content-Type', 'application/json']] as const,
      body: `{"q":"it's"}`,
    };
    const command = curlCommand(ORIGIN, request, { kind: 'graphql', name: 'q' });
    expect(argumentsIn(command)).toEqual([
      'curl',
      '--include',
      '--globoff',
      '--path-as-is',
      '--request',
      'POST',
      '--header',
      'Content-Type: application/json',
      '--data-raw',
      `{"q":"it's"}`,
      'https://shop.test/graphql?a=%27%20OR',
    ]);
  });

  it('keeps the tested cookie, and no other secret', () => {
    const headers = [
      ['Cookie', "theme=dark'x; PHPSESSID=abcdef"],
      ['Authorization', 'Bearer abc.def.ghi123'],
    ] as const;
    const request = { path: '/?token=verysecret1', headers };
    const command = curlCommand(ORIGIN, request, { kind: 'cookie', name: 'theme' });
    expect(argumentsIn(command)).toContain("Cookie: theme=dark'x; PHPSESSID=[redacted]");
    expect(command).not.toMatch(/abcdef|ghi123|verysecret/);
  });

  it('has a placeholder for the session of the account that sees the weakness', () => {
    const command = curlCommand(ORIGIN, { path: '/' }, { kind: 'query', name: 'q' }, true);
    expect(command).toContain(` --header "$SESSION" 'https://shop.test/'`);
    expect(curlCommand(ORIGIN, { path: '/' }, { kind: 'query', name: 'q' })).not.toContain('SESSION');
  });

  it('quotes fields and methods so that curl does not take them for files or options', () => {
    const headers = [['@/etc/passwd', 'x']] as const;
    const command = curlCommand(ORIGIN, { method: '-o /tmp/x', path: '/', headers }, { kind: 'query', name: 'q' });
    expect(argumentsIn(command)).toEqual(['curl', '--include', '--globoff', '--path-as-is', 'https://shop.test/']);
  });
});
