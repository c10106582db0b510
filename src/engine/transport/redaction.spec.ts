import { cpuMs } from '../testing/cpu';
import { redact } from '../../kernel/redact';
import { excerpt, legible } from './redaction';
import { SecretValues } from './secret-values';

describe('redact', () => {
  it.each([
    ['Authorization: Basic dXNlcjpodXNo', 'Authorization: [redacted]'],
    ['Proxy-Authorization: Bearer hush.hush', 'Proxy-Authorization: [redacted]'],
    ['Cookie: a=hush; b=hush', 'Cookie: [redacted]'],
    ['X-Api-Key: hush', 'X-Api-Key: [redacted]'],
    ['Set-Cookie: sid=hush; Path=/; HttpOnly', 'Set-Cookie: sid=[redacted]; Path=/; HttpOnly'],
    ['GET /?token=hush&a=1', 'GET /?token=[redacted]&a=1'],
    ['DB_PASSWORD="hush"', 'DB_PASSWORD="[redacted]"'],
    ['{"client_secret": "hush"}', '{"client_secret": "[redacted]"}'],
    ["'api-key' => 'hush'", "'api-key' => '[redacted]'"],
    ['postgres://user:hush@db/x', 'postgres://user:[redacted]@db/x'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig', 'jwt [redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nhush\n-----END RSA PRIVATE KEY-----', '[redacted]'],
    ['-----BEGIN PRIVATE KEY-----\nhush, cut', '[redacted]'],
    [
      'a\n-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-128-CBC,AB\n\nhush-hush\n-----END RSA PRIVATE KEY-----\nb',
      'a\n[redacted]\nb',
    ],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nhush\n-----END PGP PRIVATE KEY BLOCK-----', '[redacted]'],
    ['{"key": "-----BEGIN PRIVATE KEY-----\\nhush\\n-----END PRIVATE KEY-----"}', '{"key": "[redacted]"}'],
    [
      `${'a1'.repeat(20)} ${'b2'.repeat(20)} Jane Doe <jane@example.test> 1764000000 +0100\tcommit: Ask Jane\nhush`,
      `${'a1'.repeat(20)} ${'b2'.repeat(20)} [redacted]\nhush`,
    ],
    [
      legible(Buffer.from('DIRC\0\0\0\x02\0\0\0\x01\0\xffhush/hush.php', 'latin1')),
      'DIRC\\x00\\x00\\x00\\x02[redacted]',
    ],
    ['Private-Lines: 2\nhushhush\nhush=\nPrivate-MAC: 1', 'Private-Lines: 2\n[redacted]\nPrivate-MAC: 1'],
    ['APP_KEY=base64:hush+hush/hush=', 'APP_KEY=[redacted]'],
    ['export MAIL_PASS=hush and more', 'export MAIL_PASS=[redacted]'],
    ['SENTRY_DSN="https://hush@o1.example/2"', 'SENTRY_DSN="[redacted]"'],
    ['NONCE_SALT=hush', 'NONCE_SALT=[redacted]'],
    ['DB_PASSWORD="hush hush; \\"hush\\" hush"', 'DB_PASSWORD="[redacted]"'],
    ["DB_PASSWORD='hush hush", "DB_PASSWORD='[redacted]'"],
    ["define( 'AUTH_KEY', 'hush, hush' );", "define( 'AUTH_KEY', '[redacted]' );"],
    ["define('DB_PASSWORD','hush');", "define('DB_PASSWORD','[redacted]');"],
    [
      '<td class="e">DB_PASSWORD </td><td class="v">hush </td>',
      '<td class="e">DB_PASSWORD </td><td class="v">[redacted] </td>',
    ],
    ['{"spring.datasource.password":{"value":"hush"}}', '{"spring.datasource.password":{"value":"[redacted]"}}'],
    ['AccountName=a;AccountKey=hush==;', 'AccountName=a;AccountKey=[redacted];'],
    ['anna:$apr1$hushhush$hushhushhushhushhush/.', 'anna:[redacted]'],
    ['anna:$2y$10$hushhushhushhushhushhO.hushhushhushhushhushhushhushhu', 'anna:[redacted]'],
    ['anna:{SHA}hushhushhushhushhushhushhus=', 'anna:[redacted]'],
    ['anna:hus4HUSHhu.sh\r\n', 'anna:[redacted]\r\n'],
    ['anna:hus4HUSHhu.sh\nbert:hus5HUSHhu/sh', 'anna:[redacted]\nbert:[redacted]'],
    ['root:$6$hush$hushhushhush:19000:0:', 'root:[redacted]:19000:0:'],
    [
      "-- Dump\nINSERT INTO `users` VALUES (1,'a@b.test','hush'),(2,'it''s; hush','hu\\'sh');\nCREATE TABLE t (a int);",
      '-- Dump\nINSERT INTO `users` VALUES [redacted];\nCREATE TABLE t (a int);',
    ],
    [
      "INSERT INTO public.users (id, mail)\nVALUES\n  (1, 'hush'),\n  (2, 'hush cut",
      'INSERT INTO public.users (id, mail)\nVALUES [redacted]',
    ],
    ['insert ignore into "t" values(\'hush\')', 'insert ignore into "t" values [redacted]'],
    [
      'COPY public.users (id) FROM stdin;\n1\thush\n2\thush\n\\.\nSELECT 1;',
      'COPY public.users (id) FROM stdin;\n[redacted]\nSELECT 1;',
    ],
    ['COPY users FROM stdin;\n1\thush', 'COPY users FROM stdin;\n[redacted]'],
    ["CREATE USER a IDENTIFIED BY 'hush';", 'CREATE USER a IDENTIFIED BY [redacted];'],
    ["ALTER ROLE a WITH PASSWORD 'hush'", 'ALTER ROLE a WITH PASSWORD [redacted]'],
    ['redis://:hush@cache:6379', 'redis://:[redacted]@cache:6379'],
    ['https://hushhushhushhush1@git.example/x', 'https://[redacted]@git.example/x'],
    ['AKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '[redacted]'],
    ['aws_secret_access_key = wJalr/hush+hush', 'aws_secret_access_key = [redacted]'],
    [`a eyJ${'h'.repeat(9_000)}.${'u'.repeat(9_000)}.s-h b`, 'a [redacted] b'],
    ['eyJhbGciOiJkaXIi.hush.hush.hush.hush, b', '[redacted], b'],
    ['AIzaSyhushhushhushhush', '[redacted]'],
    ['whsec_hushhushhush', '[redacted]'],
  ])('%s', (text, clean) => expect(redact(text)).toBe(clean));

  it.each([
    'ref: refs/heads/main',
    'Strict-Transport-Security: max-age=1',
    'Server: nginx/1.24.0',
    'author: someone',
    'CREATE TABLE users (id int, password varchar(60));',
    'INSERT INTO a SELECT b FROM c',
    '[core]\n\trepositoryformatversion = 0\n\turl = https://git.example/x.git',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'it sets APP_KEY, DB_PASSWORD',
    'http_requests_total{code="200"} 5',
    'Location: /login?next=/elmah.axd',
    'anna:plainwordhere',
  ])('leaves %s alone', (text) => expect(redact(text)).toBe(text));

  it.each([
    'eyJ',
    'eyJ-',
    'a-',
    'token',
    'x:/',
    '-----BEGIN PRIVATE KEY-----',
    '-----END ',
    'Private-Lines: 1\na\n',

    'INSERT INTO a VALUES (',
    'INSERT INTO a (',
    "INSERT INTO a VALUES ('",
    "'",
    '\\',
    "(1,'",
    'COPY a FROM stdin;\n',

    "password='",
    'password="\\"',
    'APP_KEY',
    'A_KEY=\n',
    '$2y$',
    '$1$',
    '{SHA}',
    'a:',
    'a:A1',
    'IDENTIFIED ',
    'PASSWORD ',
    '://',
    '://a',
    'AKIA',
    '</td><td class="v">',
    '{"value":',
    'session:{',
    ' ',
    '\t',
    '\n',
    'a_key',
    '_',
  ])('is quick on many times %j', (piece) => {
    expect(cpuMs(() => redact(piece.repeat(16_384 / piece.length)))).toBeLessThan(3_000);
  });
});

describe('excerpt', () => {
  it('is limited in length, and redacts a secret at its end', () => {
    const text = `${'x'.repeat(8_180)} password=${'h'.repeat(100)}`;
    expect(excerpt(Buffer.from(text)).length).toBeLessThan(8_200);
    expect(excerpt(Buffer.from(text))).not.toContain('hh');
    expect(excerpt(Buffer.alloc(5_000_000, 97))).toHaveLength(8_196);
  });

  it('keeps nothing of a secret of a session that its limit has cut', () => {
    const secret = 'Zx8kQ1'.repeat(10);
    const kept = excerpt(Buffer.from(`abc${`${secret} `.repeat(400)}`), undefined, new SecretValues([secret]));
    expect(kept).not.toContain(secret.slice(0, 3));
  });

  it.each([
    '/.htpasswd, /htpasswd: not there',
    '/.htpasswd: a firewall responds instead of the target (406)',
    'it shows nothing (/app/secret-key: it fails with 502)',
    'https://session.example.com:8443/api_key: no answer in time',
    'https://[2001:db8::1]:8443/token: the connection was refused',
    '/x redirects to https://token.example.com:8443/login',
    '_dmarc.basalt.example says "v=DMARC1; p=none; rua=mailto:a@basalt.example": forged mail is delivered.',
  ])('leaves the sentence %j alone', (sentence) => expect(excerpt(sentence)).toBe(sentence));

  it.each([
    [
      'It lets the user "anonymous" in: 230 password: hush',
      'It lets the user "anonymous" in: 230 password: [redacted]',
    ],
    ['GET /x is answered with 200 (api_key: hush).', 'GET /x is answered with 200 (api_key: [redacted]'],
    ['GET /x?token=hush is answered with 200', 'GET /x?token=[redacted] is answered with 200'],
    ['The header says "token=hush", which', 'The header says "token=[redacted]", which'],
    ['a.test says "v=spf1 password: hush hush"', 'a.test says "v=spf1 password: [redacted] hush"'],
    ['/htpasswd: hush2 is there', '/htpasswd: [redacted] is there'],
    ['/a redirects to https://token:12345@a.test/x', '/a redirects to https://token:[redacted]'],
  ])('redacts secrets of the target in the sentence %j', (sentence, clean) => expect(excerpt(sentence)).toBe(clean));

  it('makes no exceptions in requests and responses', () => {
    expect(excerpt(Buffer.from('/.htpasswd: not there'))).toBe('/.htpasswd: [redacted] there');
    expect(excerpt(Buffer.from('says "v=a token": it is hush'))).toBe('says "v=a token": [redacted] is hush');
  });

  it.each([
    '/',
    '/a-',
    ' /a.',
    ' /token: ',
    'https://a',
    '://a-',
    '://token:1',
    ' says "v=',
    ' says "v=a-',
    'token": a',
  ])('is quick on sentences with many times %j', (piece) =>
    expect(cpuMs(() => excerpt(piece.repeat(16_384 / piece.length)))).toBeLessThan(3_000),
  );

  it('shows binary bytes as escapes', () => {
    expect(legible(Buffer.from([0x16, 0x03, 0x41, 0x0a, 0xff]))).toBe('\\x16\\x03A\n\u00ff');
    expect(legible(Buffer.from('grüß\n'))).toBe('grüß\n');
  });
});
