import { looksLikeLogin } from './response-trust';

const at = (path: string): URL => new URL(path, 'https://a.test');

it.each([
  '/login',
  '/wp-login.php',
  '/log-in/',
  '/users/sign_in',
  '/signin?next=/',
  '/Account/LogOn',
  '/accounts/login/',
  '/oauth2/authorize',
  '/auth/realms/shop',
  '/authorize',
  '/authentication',
  '/blogin/login',
  '/sso/start',
  '/sessions/new',
  '/password',
])('%s looks like a login', (path) => {
  expect(looksLikeLogin(at(path))).toBe(true);
});

it.each([
  '/author/ada',
  '/authors/',
  '/co-authored/',
  '/authorship',
  '/accounting/',
  '/accountants/find',
  '/accountability',
  '/catalog-index',
  '/cataloging/rules',
  '/b/blog-index',
  '/blog-in-english/',
  '/products/',
])('%s does not look like a login', (path) => {
  expect(looksLikeLogin(at(path))).toBe(false);
});
