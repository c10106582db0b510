import { neverSubmitted, type Submitted } from './may-submit';

const form = (path: string, label = '', names: readonly string[] = [], described?: Submitted['described']) => ({
  path,
  label,
  fields: names.map((name) => ({ name, value: '' })),
  ...(described && { described }),
});

it.each([
  ['/logout', ''],
  ['/account/delete', ''],
  ['/checkout', ''],
  ['/basket', 'Place order'],
  ['/api/orders', ''],
  ['/x', 'Pay now'],
  ['/x', 'Buy'],
  ['/members/invite', ''],
  ['/x', 'Subscribe'],
  ['/newsletter', ''],
  ['/contact', 'OK'],
  ['/x', 'Send message'],
  ['/x', 'Tell a friend'],
  ['/profile/change-email', ''],
  ['/settings/password', ''],
  ['/x', 'Jetzt kaufen'],
  ['/x', 'Zahlungspflichtig bestellen'],
  ['/x', 'Konto löschen'],
  ['/x', 'Newsletter abonnieren'],
  ['/x', 'Nachricht senden'],
  ['/x', 'Supprimer'],
  ['/x', 'Commander'],
  ['/x', "S'abonner"],
  ['/x', 'Eliminar'],
  ['/x', 'Comprar ahora'],
  ['/x', 'Enviar'],
  ['/x', 'Elimina'],
  ['/x', 'Acquista'],
  ['/x', 'Excluir conta'],
  ['/x', 'Verwijderen'],
  ['/x', 'Bestellen'],
  ['/x', 'Usuń'],
  ['/x', 'Satın al'],
  ['/x', 'Удалить'],
  ['/x', 'Оплатить'],
  ['/x', 'Видалити'],
  ['/x', 'Objednat'],
  ['/x', 'Köp'],
  ['/x', 'Clear all'],
  ['/x', 'Empty trash'],
  ['/cleardb', ''],
  ['/postdelete.php', ''],
  ['/x', 'Create and purge'],
  ['/recreate', ''],
  ['/database/seed', ''],
  ['/x', '削除'],
  ['/x', '购买'],
])('%s "%s" is never submitted', (path, label) => {
  expect(neverSubmitted(form(path, label))).not.toBeNull();
});

it.each([
  [['card_number', 'cvc']],
  [['iban']],
  [['new_password', 'confirm_password']],
  [['recipient', 'text']],
  [['password', 'password2']],
])('fields %j are never submitted', (names) => {
  expect(neverSubmitted(form('/x', 'OK', names))).not.toBeNull();
});

it('what hidden fields choose is never submitted either', () => {
  expect(neverSubmitted({ ...form('/x'), fields: [{ name: 'action', value: 'delete' }] })).toBe('delet');
  expect(neverSubmitted({ ...form('/x'), fields: [{ name: 'op', value: 'clear' }] })).toBe('clear');
  expect(neverSubmitted({ ...form('/x'), fields: [{ name: '_method', value: 'PUT' }] })).not.toBeNull();
});

it.each([
  ['/comments', 'Add comment', ['author', 'email', 'comment']],
  ['/login', 'Sign in', ['username', 'password']],
  ['/search', 'Search', ['q', 'order_by', 'page']],
  ['/guestbook', 'Sign', ['name', 'message']],
  ['/api/notes', 'Create', ['text']],
  ['/notes/new', 'Ajouter', ['texte']],
  ['/x', 'Hinzufügen', ['text']],
  ['/x', 'Criar', ['texto']],
  ['/calc', 'Berechnen', ['wert']],
  ['/tools/ping', 'Submit', ['host', 'command']],
  ['/notizen', 'Speichern', ['titel']],
])('%s "%s" %j may be submitted', (path, label, names) => {
  expect(neverSubmitted(form(path, label, names))).toBeNull();
});

it('of a description its verbs count, and not its nouns', () => {
  expect(neverSubmitted(form('/x', '', [], { texts: ['Deletes the note'] }))).not.toBeNull();
  expect(neverSubmitted(form('/x', '', [], { texts: ['Resets the database'] }))).not.toBeNull();
  expect(neverSubmitted(form('/x', '', [], { texts: ['Creates a note and deletes the others'] }))).not.toBeNull();
  expect(neverSubmitted(form('/x', '', [], { texts: ['Creates a comment on an invoice'] }))).toBeNull();
});
