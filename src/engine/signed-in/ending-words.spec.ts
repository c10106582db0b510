import { forbiddenSignedIn, isNeverSent, isSignOut } from './ending-words';

it.each([
  ['/logout', ''],
  ['/user/signOut', ''],
  ['/index.php?do=abmelden', ''],
  ['/x/9', 'Abmelden'],
  ['/x/9', 'Se déconnecter'],
  ['/x/9', 'Cerrar sesión'],
  ['/x/9', 'Çıkış yap'],
  ['/x/9', 'Выйти'],
  ['/x/9', 'ログアウト'],
  ['/x/9', '退出登录'],
  ['/account/password', ''],
  ['/settings/change-password', ''],
  ['/vulnerabilities/csrf/?password_new=a&password_conf=b&Change=Change', ''],
  ['/profil/passwort-aendern', ''],
  ['/profile/email/change', ''],
  ['/profil/neue-e-mail', ''],
  ['/close_account', ''],
  ['/x/9', 'Konto löschen'],
  ['/x/9', '删除账户'],
  ['/accounts/7/close', ''],
  ['/%256cogout', ''],
  ['/unregister', ''],
  ['/api-keys/regenerate', ''],
  ['/settings/tokens?do=rotate_token', ''],
  ['/users/3/impersonate', ''],
])('%s "%s" is requested by no account', (address, label) => {
  expect(forbiddenSignedIn(address, label)).not.toBeNull();
});

it.each([
  ['/catalogout', ''],
  ['/vulnerabilities/brute/?username=a&password=b&Login=Login', ''],
  ['/account', 'My account'],
  ['/mail/inbox?folder=new', 'Mail'],
  ['/exits', ''],
  ['/blog/how-we-store-passwords-safely', ''],
])('%s "%s" may be requested', (address, label) => {
  expect(forbiddenSignedIn(address, label)).toBeNull();
});

it.each([
  ['/index.php?page=logout', true],
  ["/index.php?page=1' OR logout--", false],
  ['/index.php?page=../../etc/passwd', false],
  ['/account/close?x=1', true],
  ['/index.php?route=account/logout', true],
  ['/userlogout', true],
  ['/session/destroy', true],
  ['/session/end', true],
  ['/2fa/disable', true],
  ['/account/mfa/off', true],
  ['/log/out', true],
  ['/%25256cogout', true],
  [`/${'a/'.repeat(1_500)}logout`, true],
  ['/offers/sessions', false],
  ['/blog/out-of-office', false],
  ['/index.php?do=change-password', true],
  ['/index.php?password_new=a&password_conf=b', true],
  ['/search?q=how to change my password', false],
  ['/tokens?sort=name', false],
])('%s of a test is never sent: %s', (address, expected) => {
  expect(isNeverSent(address)).toBe(expected);
});

it.each([
  ['/logout', '', true],
  ['/wp-login.php?action=logout&_wpnonce=1', 'Log out', true],
  ['/session', 'Abmelden', true],
  ['/account', 'My account', false],
  ['/logout-all', 'Sign out of all devices', false],
  ['/sessions/others', 'Sign out other sessions', false],
  ['/account/delete', 'Delete my account and sign out', false],
  ['/password/change', 'Change password and sign out', false],
])('%s with the label "%s" signs out this session alone: %s', (address, label, expected) => {
  expect(isSignOut(address, label)).toBe(expected);
});
