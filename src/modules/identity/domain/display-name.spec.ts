import { displayNameOf } from './display-name';

it.each([
  ['Mara Lindqvist', 'm.l@example.com', 'Mara Lindqvist'],
  [null, 'mara.lindqvist@example.com', 'Mara Lindqvist'],
  [null, 'owner@example.com', 'Owner'],
  [null, '_ci--bot_2@example.com', 'Ci Bot 2'],
])('shows %j with the address %s as %s', (name, email, expected) => {
  expect(displayNameOf({ name, email })).toBe(expected);
});
