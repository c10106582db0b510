import { largestBlock } from './largest-block';

const block = (value: string) => ({ type: 'cidr', value }) as const;

describe('largestBlock', () => {
  it('is the one that contains the others, and never another kind of asset', () => {
    const ip = { type: 'ip', value: '10.60.0.7' } as const;
    expect(String(largestBlock([ip, block('10.60.0.0/28'), block('10.60.0.0/24'), block('10.60.0.4/30')]))).toBe(
      '10.60.0.0/24',
    );
    expect(largestBlock([ip])).toBeNull();
  });
});
