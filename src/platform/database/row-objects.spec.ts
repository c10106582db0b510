import { rowObjects } from './row-objects';

it('gives each value of a row the name of its column', () => {
  const created = new Date(0);
  const row = rowObjects(['id', 'labels', 'created', 'dueDate'])([7, ['pci'], created, null]);
  expect(row).toStrictEqual({ id: 7, labels: ['pci'], created, dueDate: null });
});

it('takes the name of a column as text, not as code', () => {
  const names = ['?column?', 'it\'s "quoted"', 'two\nlines', '1); throw new Error('];
  const row = rowObjects(names)([1, 2, 3, 4]);
  expect(Object.entries(row)).toEqual(names.map((name, index) => [name, index + 1]));
});

it('makes an empty object of a row without columns', () => {
  expect(rowObjects([])([])).toStrictEqual({});
});
