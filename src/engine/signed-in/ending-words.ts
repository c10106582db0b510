import { percentDecoded } from '../protocols/http/percent-decoded';
import { folded } from '../may-change';

const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})`;

/** Without accents; a hyphen stands for any sign, or none. */
const SIGN_OUT =
  anyOf(`log[-/.]?(?:out|off) sign[-/.]?(?:out|off) end-?session abmeld(?:en|ung) aus-?loggen ausloggen deconnexion deconnecter se-deconnecter
  cerrar-?sesion salir desconectar(?:se)? esci disconnetti(?:ti)? disconnessione sair desconectar encerrar-?sessao uit-?loggen
  afmelden wyloguj(?:-sie)? cikis(?:-yap)? oturumu-?kapat vy(?:h|kh)od выход выйти вийти вихід odhlas(?:it|eni) logga-?ut logg-?ut log-?ud
  kirjaudu-?ulos kijelentkezes deconectare aposyndesi αποσυνδεση dang-?xuat keluar ログアウト サインアウト 退出 退出登录 登出 注销 로그아웃
  تسجيل-الخروج התנתק יציאה`);
const PASSWORD =
  anyOf(`passw(?:or)?ds? passphrase pwd passwor?t kennwort mot-?de-?passe contrasena clave senha wachtwoord haslo sifre parol[ay]?
  пароль heslo losenord adgangskode jelszo salasana passord パスワード 密码 密碼 비밀번호`);
const ADDRESS =
  anyOf(`e-?mail(?:-?address)? email-?address mail-?address adresse address correo direccion indirizzo endereco adres
  почта адрес メールアドレス 邮箱 電子郵件 이메일`);
const ACCOUNT = anyOf(
  `accounts? profiles? users? me konto benutzerkonto compte cuenta conta rekening hesap аккаунт ucet tili fiok cont アカウント 账户 帳號 계정`,
);
const CHANGE =
  anyOf(`change update edit reset set new modify replace aender[nt]? andern neues? neu modifier changer nouveau cambiar cambio nuev[ao]
  modifica cambia nuov[ao] alterar mudar nov[ao] wijzig(?:en)? nieuw zmien nowe degistir yeni smen(?:a|it) сменить изменить zmenit byt ny
  muuta uusi 変更 修改 更改 변경`);
const END =
  anyOf(`close delete remove cancel deactivate terminate erase destroy schliessen loeschen losch(?:en)? kuendigen fermer supprimer cerrar eliminar
  borrar chiudi elimina cancella encerrar excluir apagar sluiten verwijderen opzeggen usun zamknij sil kapat udalit удалить smazat zrusit
  radera poista torles sterge 削除 删除 刪除 삭제`);

/** Words for a user, or for what identifies one. */
const OTHERWISE = `(?:un|de)-?register forget-?me suspend impersonate switch-?user user-?log-?out disconnect exit quit`;
const STOP = anyOf('disable off deactivate remove delete reset destroy end kill');
const STOPPED = anyOf(`sessions? 2-?fa mfa totp two-?factor(?:-?auth\\w{0,12})? passkeys? authenticators?`);
const RENEW = anyOf('regenerate rotate renew revoke reset roll');
const CREDENTIAL = anyOf('(?:api-?)?keys? (?:access-?)?tokens? secrets? sessions? recovery-?codes?');

/** Whole words, between whatever signs an address has. */
const words = (pattern: string): RegExp => new RegExp(`(?<![\\p{L}\\d])${pattern}(?![\\p{L}])`, 'iu');
const both = (one: string, other: string): RegExp =>
  words(
    `(?:${one}[^\\p{L}?&#]{0,3}(?:my|your|the|mein|mon|mi|meu)?[^\\p{L}?&#]{0,3}${other}|${other}[^\\p{L}?&#]{0,3}${one})`,
  );

const OUT = words(SIGN_OUT);
const CHANGES: readonly RegExp[] = [
  both(CHANGE, PASSWORD),
  both(CHANGE, ADDRESS),
  both(END, ACCOUNT),
  both(RENEW, CREDENTIAL),
  words(anyOf(OTHERWISE)),
  both(STOP, STOPPED),
  // A second field for a password is there to repeat a new one.
  words(`${PASSWORD}[-_]?(?:2|conf\\w{0,10}|again|repeat|retype|check|new)`),
  words(`(?:confirm|repeat|retype|current|old|wiederhol\\w{0,6})[-_]?${PASSWORD}`),
  // A page of the user's own.
  new RegExp(`/${PASSWORD}(?=/|$|\\?|\\n)`, 'iu'),
];

const EVERYWHERE = words(anyOf('all every everywhere other others alle ueberall toutes todas tutti'));

const LONGEST = 8_000;
const MOST_DECODED = 5;

/** Decoded until nothing is encoded: each proxy before the application may decode once. */
function parts(text: string): string {
  let decoded = text.slice(0, LONGEST);
  for (let times = 0; times < MOST_DECODED && decoded.includes('%'); times += 1) decoded = percentDecoded(decoded);
  return folded(decoded).replaceAll('_', '-');
}

/** A value that is a path, and does not try to leave a folder, names a page, as in `?route=account/logout`. */
const PATH_IN_VALUE = /^(?!.*\.\.)[\w.-]*(?:\/[\w.-]+)+$/;

const FORBIDDEN = [OUT, ...CHANGES];

/**
 * What no account may request: it signs out, or changes the password, the address, the credentials or the account. A label is the
 * text of a link or a button.
 */
export function forbiddenSignedIn(address: string, label = ''): string | null {
  const text = `${parts(address)}\n${parts(label)}`;
  return FORBIDDEN.map((one) => one.exec(text)?.[0] ?? null).find((word) => word !== null) ?? null;
}

/** Whether it signs out this session alone, and changes nothing else. */
export function isSignOut(address: string, label = ''): boolean {
  const text = `${parts(address)}\n${parts(label)}`;
  return OUT.test(text) && !CHANGES.some((one) => one.test(text)) && !EVERYWHERE.test(text);
}

/** The same for a request of a test. Of a parameter's value only the whole counts, because the test sets other parts. */
export function isNeverSent(address: string): boolean {
  const [path = '', query = ''] = parts(address).split('?', 2);
  const pairs = query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? { name: pair, value: '' } : { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
  return FORBIDDEN.some(
    (one) =>
      one.test(path) ||
      pairs.some(
        ({ name, value }) =>
          one.test(name) ||
          (value !== '' && one.exec(value)?.[0] === value) ||
          (PATH_IN_VALUE.test(value) && one.test(value)),
      ),
  );
}
