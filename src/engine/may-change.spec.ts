import { mayChange } from './may-change';

it.each([
  '/logout',
  '/users/3/delete',
  '/cart?add=3',
  '/pay/17',
  '/checkout',
  '/newsletter/unsubscribe?mail=a',
  '/abmelden',
  '/konto/l%C3%B6schen',
  '/konto/loeschen',
  '/warenkorb/bestellen',
  '/d%C3%A9connexion',
  '/supprimer/3',
  '/cerrar-sesion',
  '/usuario/eliminar?id=3',
  '/esci',
  '/prodotti/acquista',
  '/sair',
  '/conta/excluir',
  '/uitloggen',
  '/verwijder?id=3',
  '/wyloguj',
  '/konto/usu%C5%84',
  '/zap%C5%82a%C4%87',
  '/c%CC%A7ikis',
  '/%C3%A7%C4%B1k%C4%B1%C5%9F',
  '/satin-al',
  '/vyhod',
  '/udalit/3',
  '/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C',
  '/logga-ut',
  '/smazat',
  '/%E0%A4%A/delete',
  '/send_mail.php?id=5',
  '/send-mail',
  '/add_item?id=5',
  '/add2cart',
  '/edit_post.php',
  '/set_status.php?id=5&status=1',
  '/save.php',
  '/item?op=save',
  '/create',
  '/submit?a=1',
  '/user-add.php?name=a',
  '/api/restart',
  '/index.php?do=logout',
])('says that a request for %s may change something', (path) => {
  expect(mayChange(path)).toBe(true);
});

it.each([
  '/',
  '/products/silver-plate',
  '/comprehensive-guide',
  '/items?order=asc&page=2',
  '/items?sort_order=desc',
  '/items?orderby=name',
  '/kupfer',
  '/platform',
  '/search?q=shoes',
  '/blog/wisdom',
  '/news',
  '/created-items',
  '/stopwatch',
  '/saved',
  '/settings',
  '/address',
  '/important',
  '/list.do?id=3',
  '/show.action?id=3',
  '/search?sort=new',
  '/sqli/?id=1&Submit=Submit',
])('says that a request for %s changes nothing', (path) => {
  expect(mayChange(path)).toBe(false);
});

it.each([
  'Add to cart',
  '» Send',
  'Pay now',
  'Save',
  'Log out',
  'Cerrar sesión',
  'form1\ngo\nsend\n',
  '\n\nSubmit comment',
  'createUser',
  'payInvoice',
  'sendVerificationEmail',
  'checkOut',
  'UsersController_createUser',
  'users_create',
  'submitForm',
])('says that what has the name %j may change something', (name) => {
  expect(mayChange(name)).toBe(true);
});

it.each([
  'Search',
  'Settings',
  'New arrivals',
  'Saved items',
  'Addresses',
  'Action figures',
  'search\nsubmit\nSubmit\n',
  '\nbtnSubmit\nSubmit Query\n',
  'getDataSet',
  'createdItems',
  'usersByAddress',
])('says that what has the name %j changes nothing', (name) => {
  expect(mayChange(name)).toBe(false);
});

it('reads long texts in linear time', () => {
  const spent = (length: number): number => {
    const started = process.cpuUsage().user;
    for (const part of ['-', ' ', '\n', '_', '\n-', 'aB', 'add-']) mayChange(part.repeat(length / part.length));
    return process.cpuUsage().user - started;
  };
  spent(10_000);
  expect(spent(400_000)).toBeLessThan(40 * Math.max(spent(40_000), 2_000));
});
