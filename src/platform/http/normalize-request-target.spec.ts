import { normalizeRequestTarget } from './normalize-request-target';

it.each([
  ['/v1/me', '/v1/me'],
  ['//v1/me', '//v1/me'],
  ['/v1/me?next=http://x/y', '/v1/me?next=http://x/y'],
  ['http://x/v1/me?page=2', '/v1/me?page=2'],
  ['HTTPS://user@X.example:8443/v1/me', '/v1/me'],
  ['http://[/v1/me', '/v1/me'],
  ['http://x', '/'],
  ['http://x?page=2', '/?page=2'],
  ['*', '*'],
])('%s is normalized to %s', (target, path) => {
  expect(normalizeRequestTarget(target)).toBe(path);
});
