import { htmlToText, redactCredentials, redactHeaders } from './clean-text';
import { type RawFinding, scannedRowOf } from './raw-finding';

const findingOf = (fields: Partial<RawFinding>) => {
  const { finding } = scannedRowOf({ line: 1, scanner: 'x', ruleId: 'r', title: 't', severity: 'low', ...fields });
  if (finding === undefined) throw new Error('The row was refused.');
  return finding;
};

describe('the scanner of a row', () => {
  it.each(['assay', ' Assay ', 'ASSAY', 'manual', 'Manual\t'])(
    'is never that of our own tests or of people: %j',
    (scanner) => expect(findingOf({ scanner }).scanner).toBe(`${scanner.trim().toLowerCase()} (file)`),
  );

  it('keeps a name that only contains one of ours', () =>
    expect(findingOf({ scanner: 'Manual review' }).scanner).toBe('manual review'));
});

describe('redaction', () => {
  it.each([
    ['Cookie: a="b"; c=secret', 'Cookie: [redacted]'],
    ['GET / HTTP/1.1\r\ncookie:secret\r\nHost: a', 'GET / HTTP/1.1\r\ncookie: [redacted]\r\nHost: a'],
    ['Set-Cookie: sid=secret; HttpOnly', 'Set-Cookie: [redacted]'],
    ['Authorization: Basic secret\n  secret\nHost: a', 'Authorization: [redacted]\nHost: a'],
    ['Proxy-Authorization: Digest username="secret"', 'Proxy-Authorization: [redacted]'],
    ['X-Api-Key: secret', 'X-Api-Key: [redacted]'],
    ['X-Auth-Token: secret', 'X-Auth-Token: [redacted]'],
    ['X-CSRF-Token: secret', 'X-CSRF-Token: [redacted]'],
    ['PRIVATE-TOKEN: secret', 'PRIVATE-TOKEN: [redacted]'],
    [`curl -H 'Cookie: a="secret"' https://a.example/`, `curl -H 'Cookie: [redacted]' https://a.example/`],
    ['{"Cookie": "a=\\"secret\\"", "Host": "a"}', '{"Cookie": "[redacted]", "Host": "a"}'],
    ['{\\"Authorization\\":\\"secret\\"}', '{\\"Authorization\\": [redacted]'],
    ['sent with Bearer abc.secret.123', 'sent with Bearer [redacted]'],
    ['https://user:secret@a.example/', 'https://a.example/'],
  ])('removes credentials: %j', (text, expected) => {
    expect(redactHeaders(text)).toBe(expected);
    expect(redactHeaders(expected)).toBe(expected);
  });

  it.each(['Cookie Without Secure Flag', 'Content-Type: text/html', 'Basic authentication is used', 'Bearer tokens'])(
    'leaves other texts as they are: %s',
    (text) => expect([redactHeaders(text), redactCredentials(text)]).toEqual([text, text]),
  );

  it('removes keys, tokens and passwords from descriptions and evidence, as the engine does from its own', () => {
    const secrets = [
      '-----BEGIN PRIVATE KEY-----\nMIIsecret\n-----END PRIVATE KEY-----',
      'key AKIAIOSFODNN7EXAMPLE',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0',
      'ghp_secretsecretsecretsecret12345678',
      'DB_PASSWORD="secret"',
      'POST /login user=a&password=secret',
      "INSERT INTO users VALUES (1, 'secret');",
    ];
    for (const text of secrets) {
      const finding = findingOf({ description: text, evidence: text });
      expect(finding.evidence).toContain('[redacted]');
      expect(finding.description).toBe(finding.evidence);
      expect(JSON.stringify(finding)).not.toMatch(/secret|MII|AKIAI|eyJ|ghp_/);
    }
    const advice = 'Set session.cookie_secure=1 and password_hash=on.';
    expect(findingOf({ title: advice, remediation: advice })).toMatchObject({ title: advice, remediation: advice });
  });

  it('applies to every text of a finding', () => {
    const secret = 'Cookie: secret';
    const texts = { title: secret, description: secret, remediation: secret, evidence: secret, parameter: secret };
    const replay = { method: 'GET', url: 'https://u:secret@a.example/', match: secret };
    const finding = findingOf({ ...texts, source: secret, target: 'https://u:secret@a.example/', replay });
    expect(JSON.stringify(finding)).not.toContain('secret');
  });
});

describe('HTML in texts', () => {
  it.each([
    ['<p>One</p><p>Two</p>', '\nOne\n\nTwo\n'],
    ['<ul><li>A</li><li>B</li></ul>', '\n\n- A\n- B\n'],
    ['&lt;script&gt; &amp; &#39;&#x27; &unknown;', "<script> & '' &unknown;"],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ])('becomes text: %s', (html, text) => expect(htmlToText(html)).toBe(text));
});

describe('a finding', () => {
  it('is refused without a rule', () => {
    const refused = { line: 1, reason: 'It does not say which rule it is of.' };
    const draft = { line: 1, scanner: 'x', title: 't', severity: 'low' } as const;
    expect(scannedRowOf({ ...draft, ruleId: null })).toEqual({ refused });
    expect(scannedRowOf({ ...draft, ruleId: ' \u0000\n' })).toEqual({ refused });
  });

  it('has texts without control characters, halves of characters and reversed text, shortened to its limits', () => {
    const finding = findingOf({ title: `a\u0000\u202Eb\u001B[31m\uD800`, evidence: '😀'.repeat(5_000) });
    expect(finding.title).toBe('ab[31m\uFFFD');
    expect(finding.evidence?.length).toBeLessThanOrEqual(4_000);
    expect(finding.evidence).toMatch(/^(😀)+…$/u);
    expect(findingOf({ title: 'x'.repeat(1_000) }).title).toHaveLength(500);
  });

  it.each<[Partial<RawFinding>, object]>([
    [{ target: 'HTTPS://A.example:443/x' }, { url: 'https://a.example/x', host: 'a.example', port: 443 }],
    [{ target: 'http://[2001:DB8::1]:8080/' }, { url: 'http://[2001:db8::1]:8080/', host: '2001:db8::1', port: 8080 }],
    [{ target: 'ssh.example:22' }, { url: null, host: 'ssh.example', port: 22 }],
    [{ target: 'ldap://dir.example:389/cn' }, { url: null, host: 'dir.example', port: 389 }],
    [{ target: '[::1]:25' }, { url: null, host: '::1', port: 25 }],
    [
      { target: '::1', port: '25' },
      { url: null, host: '::1', port: 25 },
    ],
    [
      { target: '192.0.2.1', port: 70_000 },
      { url: null, host: '192.0.2.1', port: null },
    ],
    [
      { target: 'not a host', host: 'a.example', port: '0' },
      { url: null, host: 'a.example', port: null },
    ],
    [{ target: '443' }, { url: null, host: null, port: null }],
    [{ target: 'javascript:alert(1)' }, { url: null, host: null, port: null }],
    [{ target: `https://a.example/${'x'.repeat(3_000)}` }, { url: null, host: 'a.example', port: 443 }],
  ])('has a location: %j', (fields, location) => {
    expect(findingOf(fields).location).toEqual({ source: null, ...location });
  });

  it.each<[unknown, string | null]>([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31 10:00:00.5 +02:00', '2026-01-31T08:00:00.500Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    [1_769_850_930, '2026-01-31T09:15:30.000Z'],
    ['2026-01-31T10:00:00', null],
    ['Sat, 31 Jan 2026 10:15:30', null],
    ['2026-13-41', null],
    [{}, null],
  ])('has a time only where its zone is known: %j', (seenAt, expected) => {
    expect(findingOf({ seenAt }).seenAt?.toISOString() ?? null).toBe(expected);
  });

  it.each<[unknown, number | null]>([
    [79, 79],
    ['CWE-079: Cross-site Scripting', 79],
    ['external/cwe/cwe-022', 22],
    [0, null],
    [-1, null],
    ['none', null],
    [null, null],
  ])('has a CWE: %j', (cwe, expected) => expect(findingOf({ cwe: [cwe] }).cwe).toBe(expected));

  it('has references to the web only, each once', () => {
    const references = [
      '(see https://a.example/x), https://a.example/x.',
      'javascript:alert(1) data:text/html,x ftp://a',
    ];
    expect(findingOf({ references }).references).toEqual(['https://a.example/x']);
  });

  it.each(['CVSS:3.1/AV:N', 'AV:N/AC:L/Au:N/C:P/I:P/A:P', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H; DROP'])(
    'has no vector that is not complete: %s',
    (vector) => expect(findingOf({ cvssVectors: [vector] }).cvssVector).toBeNull(),
  );
});
