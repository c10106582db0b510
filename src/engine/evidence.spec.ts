import { generateKeyPairSync } from 'node:crypto';
import { checkById } from './checks';
import { canonicalJson, keyIdOf, signEvidence, type SignedEvidence, verifyEvidence } from './evidence';
import { siteScene } from './testing/scenes';
import { HOST, Stage } from './testing/stage';
import { verify } from './verdict';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const id = keyIdOf(privateKey);
const keys = [{ id, pem: publicKey.export({ format: 'pem', type: 'spki' }).toString() }];

async function evidence(): Promise<SignedEvidence> {
  const check = checkById('exposed-git');
  if (check === null) throw new Error('no such check');
  const stage = await Stage.open();
  try {
    const target = { scheme: 'https', host: HOST, port: stage.server.port, path: '/' } as const;
    const site = { pages: { '/.git/HEAD': 'ref: refs/heads/\u0000 grün\n' }, headers: { 'set-cookie': 'sid=hush' } };
    const transport = stage.transport(4_000, () => siteScene(site));
    const verification = await verify(check, target, null, transport, { signal: new AbortController().signal });
    return signEvidence({ retest: 1, finding: '7' }, check, target, null, verification, { id, privateKey });
  } finally {
    await stage.close();
  }
}

describe('evidence', () => {
  it('holds what was sent and what came back, and is authentic also after a way through JSON in another order', async () => {
    const signed = await evidence();
    const [probe] = signed.evidence.probes;
    expect(probe?.exchanges.map(({ sent }) => sent.split(' ')[1])).toEqual(['/', '/.git/HEAD', '/.git/config']);
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

  it('is not authentic when anything in it was changed, or the key is another one', async () => {
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

  it('is not authentic when what stands around it says something else', async () => {
    const signed = await evidence();
    const { subject, verdict, target } = signed.evidence;
    const answer = { uuid: subject['retest'], status: 'finished', ...verdict, ...signed };
    expect(verifyEvidence(answer, keys)).toEqual({ authentic: true, key: id, evidence: signed.evidence });
    for (const [name, lie] of Object.entries({
      uuid: 2,
      status: 'canceled',
      result: 'fixed',
      reason: 'it is gone',
      finding: '8',
      target: `${target}else`,
      subject: { ...subject, finding: '8' },
    })) {
      const reason = `It was altered: its "${name}" is not what is signed.`;
      expect(verifyEvidence({ ...answer, [name]: lie }, keys)).toEqual({ authentic: false, reason });
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

  it('is what every way through JSON gives again', () => {
    const value = { z: { y: [1, { b: 2, a: undefined }] }, a: 'é' };
    expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(canonicalJson(value));
  });
});
