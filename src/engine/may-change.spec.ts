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
])('says that a request for %s changes nothing', (path) => {
  expect(mayChange(path)).toBe(false);
});
