import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { probeSite } from '../testing/probe-site';
import { exposedCredentials } from './exposed-credentials';

const at = (path: string, body: string, type = 'text/plain'): Site => ({
  pages: { [path]: { headers: { 'content-type': type }, body } },
});

const AWS = `[default]
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
`;
const SFTP = `{
    // sftp, ftp or ftps
    "type": "sftp",
    "host": "target.test",
    "user": "deploy",
    "password": "hush-hush",
}
`;

truthTable(exposedCredentials, {
  scheme: 'http',
  vulnerable: at('/.aws/credentials', AWS),
  fixed: {},
  alsoVulnerable: {
    'the logins of command-line clients are public': at(
      '/.netrc',
      'machine api.target.test\n  login deploy\n  password hush\n',
    ),
    'an editor left the login of the server': at('/sftp-config.json', SFTP),
    'the configuration has a password': at(
      '/config.json',
      '{"db":{"host":"10.0.0.5","password":"hush-hush"}}',
      'application/json',
    ),
    'the configuration has a secret key': at(
      '/config.yml',
      'production:\n  secret_key: "0a1b2c3d4e"\n  hosts:\n    - a.test\n',
    ),
  },
  softErrors: lookalikeSites(AWS),
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/.aws/credentials': { status: 403, body: 'Forbidden' } } },
  },
});

describe('exposed-credentials', () => {
  it.each([
    ['an AWS profile without keys', '/.aws/credentials', '[default]\nrole_arn = arn:aws:iam::1:role/x\n'],
    ['a text about .netrc', '/.netrc', '<pre>machine a.test login b password c</pre>'],
    ['an editor that uses a key', '/sftp-config.json', SFTP.replace('    "password"', '    //"password"')],
    [
      'settings for browsers',
      '/config.json',
      '{"apiKey":"AIzaSyA","authDomain":"x.test","token":"pk.abc","publicKey":"BAbc"}',
    ],
    [
      'texts of a form',
      '/config.json',
      '{"login":{"user":"Gebruiker","password":"Wachtwoord","forgotPassword":"forgot-it"}}',
    ],
    [
      'the schema of a form',
      '/config.json',
      '{"fields":[{"name":"password","type":"password"},{"password":"required"}]}',
    ],
    [
      'placeholders',
      '/config.json',
      '{"password":"${DB_PASSWORD}","secret":"<your secret>","client_secret":"%env(SECRET)%"}',
    ],
    ['empty secrets', '/config.json', '{"password":"","secret":null,"private_key":"changeme"}'],
    [
      'references in YAML',
      '/config.yml',
      'db:\n  host: a\n  password: ${DB_PASSWORD}\n  secret: !vault x\n  secret_key: <%= ENV["K"] %>\n',
    ],
    ['an article about YAML', '/config.yml', 'Set these\nbefore\nthe start\npassword: hush-hush\nof the\nserver.\n'],
    ['a page', '/config.yaml', '<p>\npassword: hush-hush\nsecret: hush-hush\n'],
  ])('does not treat %s as credentials', async (_what, path, body) => {
    expect(await probeSite(exposedCredentials, at(path, body))).toBe('not_vulnerable');
  });
});
