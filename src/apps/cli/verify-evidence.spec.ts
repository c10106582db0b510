import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkById, keyIdOf, parseTarget, signEvidence } from '../../engine';
import { statementText } from './statement-text';
import { duplicateKeyIn, verifyEvidenceFile } from './verify-evidence';

const folder = mkdtempSync(join(tmpdir(), 'assay-evidence-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const id = keyIdOf(publicKey);
const keys = { keys: [{ id, public_key: publicKey.export({ format: 'pem', type: 'spki' }) }] };

const verdict = { result: 'fixed', reason: 'it is gone' } as const;
const check = checkById('missing-nosniff');
if (check === null) throw new Error('the check missing-nosniff does not exist');
const target = parseTarget('https://www.example.com/');
const beacon = { id: 3, name: 'office-berlin', agent_version: '1.0.0' };
const verification = { verdict, probes: [], baseline: null };
const signed = signEvidence({ retest: 'x', finding: 1 }, check, target, null, verification, beacon, { id, privateKey });

let files = 0;
function file(content: unknown): string {
  const path = join(folder, `${files++}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

it('accepts unchanged evidence, with the keys from a file', async () => {
  const answer = { uuid: 'x', status: 'finished', ...verdict, ...signed };
  expect(await verifyEvidenceFile(file(answer), file(keys))).toMatchObject({ authentic: true, key: id });
});

it('refuses changed evidence, and fields that contradict it', async () => {
  const changed = { ...signed, evidence: { ...signed.evidence, target: 'https://other.example.com/' } };
  expect(await verifyEvidenceFile(file(changed), file(keys))).toMatchObject({ authentic: false });
  const contradicting = { uuid: 'x', status: 'finished', ...signed, result: 'still_vulnerable' };
  expect(await verifyEvidenceFile(file(contradicting), file(keys))).toMatchObject({ authentic: false });
});

it.each([
  ['beside what is signed', { uuid: 'x', comment: 'approved', ...signed }, '"comment" is not a field of evidence'],
  [
    'in the signature',
    { ...signed, signature: { ...signed.signature, comment: 'approved' } },
    '"signature.comment" is not a field of evidence',
  ],
  [
    'around the base64 of the signature',
    { ...signed, signature: { ...signed.signature, value: `approved ${signed.signature.value}` } },
    'the value of its signature is not 64 bytes in Base64',
  ],
])('refuses evidence with an addition %s, and names the addition', async (_where, document, reason) => {
  expect(await verifyEvidenceFile(file(document), file(keys))).toEqual({
    authentic: false,
    reason: expect.stringContaining(reason),
  });
});

it('refuses evidence with a duplicate key, whichever of the two comes first', async () => {
  const text = JSON.stringify(signed);
  for (const forged of ['"subject":{"retest":"y"},', String.raw`"sub\u006aect" : {"retest":"y"},`]) {
    const twice = file(text.replace('"subject":', `${forged}"subject":`));
    await expect(verifyEvidenceFile(twice, file(keys))).rejects.toThrow('has the key "subject" twice in one object');
  }
});

it('prints each signed field on its own line, without control characters', () => {
  const { signed: when } = signed.evidence;
  const named = { ...beacon, agent_version: '1\u001b[2J' };
  expect(statementText({ ...signed.evidence, target: 'https://a.test/\u001b[2J', beacon: named }, id)).toBe(
    `Retest:   x
Finding:  1
Check:    missing-nosniff (${check.title})
Target:   https://a.test/\ufffd[2J
Beacon:   office-berlin (3), version 1\ufffd[2J of its agent
Verdict:  fixed: it is gone
Signed:   ${when}, with the key ${id}
`,
  );
  expect(statementText({ ...signed.evidence, beacon: null }, id)).not.toContain('Beacon:');
});

it.each([
  ['a key file without keys', () => verifyEvidenceFile(file(signed), file([])), 'has no keys'],
  [
    'a key with the id of another key',
    () => verifyEvidenceFile(file(signed), file({ keys: [{ ...keys.keys[0], id: 'ff' }] })),
    'ff',
  ],
  [
    'a missing file',
    () => verifyEvidenceFile('/nowhere/evidence.json', file(keys)),
    'Cannot read /nowhere/evidence.json (ENOENT).',
  ],
  [
    'a missing key file',
    () => verifyEvidenceFile(file(signed), '/nowhere/keys.json'),
    'Cannot read /nowhere/keys.json (ENOENT).',
  ],
  ['a file that is not JSON', () => verifyEvidenceFile(file('{'), file(keys)), 'is not JSON'],
])('refuses %s', async (_what, verify, sentence) => {
  await expect(verify()).rejects.toThrow(sentence);
});

describe('with the keys from a URL', () => {
  let server: Server;
  let authorization: string | undefined;
  const url = (credentials = '') =>
    `http://${credentials}127.0.0.1:${(server.address() as AddressInfo).port}/v1/evidence-keys`;

  beforeAll(async () => {
    server = createServer((request, response) => {
      ({ authorization } = request.headers);
      response.writeHead(authorization === undefined ? 401 : 200).end(JSON.stringify(keys));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  it('sends the credentials of the URL in the Authorization header', async () => {
    expect(await verifyEvidenceFile(file(signed), url('ak_x:as_y@'))).toMatchObject({ authentic: true, key: id });
    expect(authorization).toBe(`Basic ${Buffer.from('ak_x:as_y').toString('base64')}`);
  });

  it('reports the status of a refused request', async () => {
    await expect(verifyEvidenceFile(file(signed), url())).rejects.toThrow(
      `returned 401. It needs an API key: ${url('KEY:SECRET@')}`,
    );
  });
});

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"b":{"a":1},"a":[{"c":1},{"c":1,"d":{},"c":2}]}', 'c'],
  [String.raw`{"a":1,"\u0061" : 2}`, 'a'],
  ['{"":1,"x":"",\n""\n:2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('finds the duplicate key of %s', (json, key) => expect(duplicateKeyIn(json)).toBe(key));

it.each([
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  String.raw`{"a":"\"b\":1,\"b\":2","b":"}{","c":["a","a","a:"]}`,
  '["a","a"]',
  '1',
])('finds no duplicate key in %s', (json) => expect(duplicateKeyIn(json)).toBeNull());

it('searches long texts for duplicate keys without a stack overflow', () => {
  const long = 'a\\n'.repeat(2_000_000);
  expect(duplicateKeyIn(`{"a":"${long}","b":"${long}"}`)).toBeNull();
});
