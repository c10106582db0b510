import { randomBytes } from 'node:crypto';
import { callbackLabelOf, groupOfCallback, newCallbackGroup, newCallbackLabel } from './callback-name';

const DOMAIN = 'calls.example.com';
const key = randomBytes(32);

describe('the name of a callback', () => {
  it('is recognized in any case, and with labels before it', () => {
    const label = newCallbackLabel(key);
    expect(label).toHaveLength(42);
    for (const host of [`${label}.${DOMAIN}`, `${label}.${DOMAIN}`.toUpperCase(), `a.b.${label}.${DOMAIN}`])
      expect(callbackLabelOf(host, DOMAIN, key)).toBe(label);
  });

  it('is foreign with another key, another letter, another domain or no label', () => {
    const label = newCallbackLabel(key);
    expect(callbackLabelOf(`${label}.${DOMAIN}`, DOMAIN, randomBytes(32))).toBeNull();
    for (const host of [
      DOMAIN,
      label,
      `${label}.example.com`,
      `${label}${DOMAIN}`,
      `.${DOMAIN}`,
      `${label}x.${DOMAIN}`,
    ])
      expect(callbackLabelOf(host, DOMAIN, key)).toBeNull();
    for (let at = 0; at < label.length; at += 1) {
      const other = label.slice(0, at) + (label[at] === 'a' ? 'b' : 'a') + label.slice(at + 1);
      expect(callbackLabelOf(`${other}.${DOMAIN}`, DOMAIN, key)).toBeNull();
    }
  });

  it('has 128 random bits, of which those of one experiment share the beginning', () => {
    const group = newCallbackGroup();
    const labels = Array.from({ length: 50 }, () => newCallbackLabel(key, group));
    expect(new Set(labels).size).toBe(50);
    expect(new Set(labels.map(groupOfCallback))).toEqual(new Set([group]));
    expect(26 * 5).toBeGreaterThanOrEqual(128);
  });
});
