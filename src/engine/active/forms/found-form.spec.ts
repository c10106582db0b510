import type { SentRequest } from '../../sent-request';
import { neverSubmitted, type Submitted } from '../../may-submit';
import { type FoundForm, operationIn } from './found-form';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

function operation(type: string, body: string, path = '/notes', name = ''): FoundForm {
  const sent: Omit<SentRequest, 'path'> = { method: 'POST', headers: [['Content-Type', type]], body };
  const url = new URL(path, 'https://shop.example');
  const found = operationIn({ url, source: 'openapi', sent, described: { name, texts: [] } });
  if (found === null) throw new Error('no operation');
  return found;
}
const judged = ({ request: { path }, label, fields, described = {} }: FoundForm): Submitted => ({
  path,
  label,
  fields,
  described,
});

it.each([
  [FORM_TYPE, 'action=delete&_method=DELETE&card_number=1'],
  [FORM_TYPE, 'action=delete'],
  [FORM_TYPE, 'title=a&card_number=1'],
  [FORM_TYPE, 'title=a&_method=PUT'],
  [JSON_TYPE, '{"action":"delete","user":{"name":"a"}}'],
  [JSON_TYPE, '{"user":{"new_password":"a"}}'],
  [JSON_TYPE, '{"a":{"b":[{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"card_number":1}}}}}}}}]}}'],
  [JSON_TYPE, '{"steps":[{"op":"purge"}]}'],
  [JSON_TYPE, '{"card":{"number":1}}'],
  [JSON_TYPE, '{"title":"a","delete":true}'],
  [JSON_TYPE, '{"title":"a","remove.all":null}'],
])('what a body of %s says decides: %s', (type, body) => {
  expect(neverSubmitted(judged(operation(type, body)))).not.toBeNull();
});

it.each([
  [FORM_TYPE, 'title=test&text=test'],
  [JSON_TYPE, '{"text":"test","meta":{"lang":"en","size":1,"public":true}}'],
])('other bodies of %s are submitted: %s', (type, body) => {
  const found = operation(type, body, '/notes', 'createNote');
  expect([neverSubmitted(judged(found)), found.obstacle]).toEqual([null, null]);
});

it.each([
  ['/users/1', 'updateUser'],
  ['/users/1', 'createOrUpdateUser'],
  ['/users/1', 'UsersController_edit'],
  ['/users/update', ''],
  ['/users/1', 'setStatus'],
])('an operation at %s with the name "%s" changes what exists', (path, name) => {
  expect(operation(JSON_TYPE, '{"name":"test"}', path, name).obstacle).toMatch(/^it changes what exists: /);
});

it.each(['createUser', 'addComment', 'users_create', 'registerUser', 'submitForm', 'login', 'searchNotes'])(
  'an operation with the name %s takes what is entered',
  (name) => {
    expect(operation(JSON_TYPE, '{"name":"test"}', '/x', name).obstacle).toBeNull();
  },
);

it('an operation without anything to enter is a command', () => {
  expect(operation(JSON_TYPE, '{}').obstacle).toMatch(/no field/);
});
