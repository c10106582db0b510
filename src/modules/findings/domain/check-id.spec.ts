import { CHECKS } from '../../../engine/checks';
import { requireCheckId } from './check-id';

it('returns the id of every built-in check', () => {
  for (const { id } of CHECKS) expect(requireCheckId(id, 'check_id')).toBe(id);
});

it.each([
  ['no-http-redirect', 'no-https-redirect'],
  ['plain-http', 'login-over-http'],
  ['MISSING-HSTS', 'missing-hsts'],
  ['missing_hsts', 'missing-hsts'],
  ['weak-cps', 'weak-csp'],
])('refuses %s with an error that names the similar id %s', (id, similar) => {
  expect(() => requireCheckId(id, 'check_id')).toThrow(
    new RegExp(`^check_id "${id}" is not the id of a built-in check\\. Similar ids: .*${similar}`),
  );
});

it('refuses an empty id', () => {
  expect(() => requireCheckId('', 'check_id')).toThrow('is not the id of a built-in check');
});
