import { Signer } from './signer';

const [one, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
const config = (SECRET_KEY?: string, SECRET_KEY_PREVIOUS?: string) =>
  ({ NODE_ENV: 'production', SECRET_KEY, SECRET_KEY_PREVIOUS }) as const;

describe('Signer', () => {
  const signature = new Signer(config(one), 'notice').sign('text');

  it('accepts its signature in every process, for the same text and purpose alone', () => {
    expect(new Signer(config(one), 'notice').hasSigned('text', signature)).toBe(true);
    expect(new Signer(config(one), 'notice').hasSigned('text.', signature)).toBe(false);
    expect(new Signer(config(one), 'known browser').hasSigned('text', signature)).toBe(false);
    expect(new Signer(config(other), 'notice').hasSigned('text', signature)).toBe(false);
    for (const damaged of ['', 'a', `${signature}=`, signature.slice(1)])
      expect(new Signer(config(one), 'notice').hasSigned('text', damaged)).toBe(false);
  });

  it('accepts the signature of the previous key during a rotation', () => {
    expect(new Signer(config(other, one), 'notice').hasSigned('text', signature)).toBe(true);
  });

  it('accepts only its own signatures without SECRET_KEY', () => {
    const signer = new Signer(config(), 'notice');
    expect(signer.hasSigned('text', signer.sign('text'))).toBe(true);
    expect(new Signer(config(), 'notice').hasSigned('text', signer.sign('text'))).toBe(false);
  });
});
