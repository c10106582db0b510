import { generateKeyPairSync, sign } from 'node:crypto';
import { checkById } from './checks';
import { canonicalJson, keyIdOf, signEvidence, type SignedEvidence, verifyEvidence } from './evidence';
import { siteSetup } from './testing/target-states';
import { HOST, TestTarget } from './testing/test-target';
import { verify } from './verdict';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const id = keyIdOf(privateKey);
const keys = [{ id, pem: publicKey.export({ format: 'pem', type: 'spki' }).toString() }];

async function evidence(): Promise<SignedEvidence> {
  const check = checkById('exposed-git');
  if (check === null) throw new Error('no such check');
  const testTarget = await TestTarget.open();
  try {
    const target = { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' } as const;
    const site = { pages: { '/.git/HEAD': 'ref: refs/heads/\u0000 grün\n' }, headers: { 'set-cookie': 'sid=hush' } };
    const transport = testTarget.transport(4_000, () => siteSetup(site));
    const verification = await verify(
      check,
      target,
      null,
      transport,
      { signal: new AbortController().signal },
      async () => null,
    );
    return signEvidence({ retest: 1, finding: '7' }, check, target, null, verification, null, { id, privateKey });
  } finally {
    await testTarget.close();
  }
}

describe('evidence', () => {
  it('contains requests and responses, and stays authentic when the order of its JSON members changes', async () => {
    const signed = await evidence();
    const [probe] = signed.evidence.probes;
    expect(probe?.exchanges.map(({ sent }) => sent.split(' ')[1])).toEqual([
      '/',
      '/.git/HEAD',
      '/.git/config',
      '/.git/index',
      '/.git/logs/HEAD',
    ]);
    expect(signed.evidence.verdict.result).toBe('inconclusive');
    expect(JSON.stringify(signed)).not.toContain('hush');
    expect(JSON.stringify(signed)).not.toContain(String.raw`\u0000`);
    const turned = {
      signature: signed.signature,
      evidence: Object.fromEntries(Object.entries(signed.evidence).toReversed()),
    };
    expect(verifyEvidence(JSON.parse(JSON.stringify(turned, null, 2)), keys)).toMatchObject({
      authentic: true,
      key: id,
    });
  });

  it('is not authentic when anything in it was changed, or with another key', async () => {
    const signed = await evidence();
    const text = JSON.stringify(signed);
    const changed = (from: string, to: string): unknown => JSON.parse(text.replace(from, to));
    for (const document of [
      changed('inconclusive', 'fixed'),
      changed('exposed-git', 'exposed-got'),
      changed('"finding":"7"', '"finding":"8"'),
      changed('"probes":[', '"more":1,"probes":['),
    ]) {
      expect(verifyEvidence(document, keys)).toMatchObject({
        authentic: false,
        reason: expect.stringContaining('changed'),
      });
    }
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString();
    expect(verifyEvidence(signed, [{ id, pem: other }])).toMatchObject({ authentic: false });
    expect(verifyEvidence(signed, [])).toMatchObject({
      authentic: false,
      reason: expect.stringContaining('not among'),
    });
  });

  describe('as returned by the API', () => {
    let signed: SignedEvidence;
    let answer: Record<string, unknown>;
    beforeAll(async () => {
      signed = await evidence();
      answer = { uuid: signed.evidence.subject['retest'], status: 'finished', ...signed.evidence.verdict, ...signed };
    });

    it('is authentic', () => {
      expect(verifyEvidence(answer, keys)).toEqual({ authentic: true, key: id, evidence: signed.evidence });
    });

    it.each([
      ['uuid', 2],
      ['status', 'canceled'],
      ['result', 'fixed'],
      ['reason', 'it is gone'],
    ])('is not authentic when its field %s contradicts the signed part', (name, lie) => {
      const reason = `It was altered: its "${name}" differs from the signed value.`;
      expect(verifyEvidence({ ...answer, [name]: lie }, keys)).toEqual({ authentic: false, reason });
    });

    it('is not authentic when an unsigned field contradicts the signed part', () => {
      const rest = { ...signed.evidence, subject: { finding: '7' } };
      const value = sign(null, Buffer.from(canonicalJson(rest)), privateKey).toString('base64');
      const document = { uuid: 1, evidence: rest, signature: { ...signed.signature, value } };
      expect(verifyEvidence(document, keys)).toMatchObject({
        authentic: false,
        reason: expect.stringContaining('uuid'),
      });
    });

    it.each(['comment', 'finding', 'target', '__proto__', 'Result', ''])(
      'is not authentic with the field %j around the signed part',
      (name) => {
        const document: unknown = JSON.parse(
          JSON.stringify(answer).replace('{', `{${JSON.stringify(name)}:"approved",`),
        );
        const reason = `It was altered: ${JSON.stringify(name)} is not a field of evidence. Its fields are uuid, status, result, reason, evidence, signature.`;
        expect(verifyEvidence(document, keys)).toEqual({ authentic: false, reason });
      },
    );

    it('is not authentic with an additional field in its signature, and names the field', () => {
      const document = { ...answer, signature: { ...signed.signature, approved_by: 'somebody' } };
      const reason =
        'It was altered: "signature.approved_by" is not a field of evidence. The fields of its signature are algorithm, key, value.';
      expect(verifyEvidence(document, keys)).toEqual({ authentic: false, reason });
    });

    it.each([
      ['a line break', (value: string) => `${value}\n`],
      ['junk in the middle', (value: string) => `${value.slice(0, 4)} #${value.slice(4)}`],
      ['words behind its end', (value: string) => `${value}approved`],
      ['no padding', (value: string) => value.replaceAll('=', '')],
      ['the alphabet of URLs', (value: string) => value.replaceAll('+', '-').replaceAll('/', '_')],
      ['other bits in its padding', (value: string) => value.replace(/.==$/, (end) => `${afterOf(end)}==`)],
      ['63 bytes', (value: string) => Buffer.from(value, 'base64').subarray(1).toString('base64')],
      ['65 bytes', (value: string) => Buffer.concat([Buffer.from(value, 'base64'), Buffer.of(0)]).toString('base64')],
    ])('is not authentic when the value of its signature has %s', (_what, spelled) => {
      // Of a signature that has each character of the alphabet with two spellings.
      const { value, rest } = signatureWith(/[+/].*[AQgw]==$/);
      const document = { evidence: rest, signature: { ...signed.signature, value } };
      expect(verifyEvidence(document, keys)).toMatchObject({ authentic: true });
      const other = { ...document, signature: { ...document.signature, value: spelled(value) } };
      expect(other.signature.value).not.toBe(value);
      const reason = 'It was altered: the value of its signature is not 64 bytes in Base64.';
      expect(verifyEvidence(other, keys)).toEqual({ authentic: false, reason });
    });

    it('is not authentic when it contains a number that JSON cannot represent', () => {
      const text = JSON.stringify(signed).replace('"baseline":null', '"baseline":1e999');
      expect(text).toContain('1e999');
      expect(verifyEvidence(JSON.parse(text), keys)).toMatchObject({ authentic: false });
    });

    it('prints the name of a field without control characters', () => {
      const { reason } = verifyEvidence({ ...answer, ['\u001b[2J\u202e' + 'x'.repeat(1_000)]: 1 }, keys) as {
        reason: string;
      };
      expect(reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(reason.length).toBeLessThan(300);
    });

    const afterOf = (text: string): string => String.fromCharCode(text.charCodeAt(0) + 1);

    /** The same evidence, signed at another moment until the signature has this form. */
    function signatureWith(form: RegExp): { value: string; rest: object } {
      for (let attempt = 0; ; attempt++) {
        const rest = { ...signed.evidence, signed: `${attempt}` };
        const value = sign(null, Buffer.from(canonicalJson(rest)), privateKey).toString('base64');
        if (form.test(value)) return { value, rest };
      }
    }
  });

  it.each([null, 'text', [], {}, { evidence: {}, signature: {} }, { evidence: [], signature: 1 }])(
    '%j is no evidence',
    (document) => expect(verifyEvidence(document, keys)).toMatchObject({ authentic: false }),
  );
});

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ a: undefined, ü: '\u0001"' }, '{"ü":"\\u0001\\""}'],
    [[undefined, 1e21, -0], '[null,1e+21,0]'],
  ])('%j', (value, text) => expect(canonicalJson(value)).toBe(text));

  it('does not change when it is parsed and serialized again', () => {
    const value = { z: { y: [1, { b: 2, a: undefined }] }, a: 'é' };
    expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(canonicalJson(value));
  });
});
