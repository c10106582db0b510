/** Values that a visitor could enter, by the type of a field. */
const BY_TYPE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    email: 'visitor@example.com',
    number: '1',
    range: '1',
    tel: '5550100',
    url: 'https://www.example.com/',
    date: '2024-01-15',
    'datetime-local': '2024-01-15T12:00',
    month: '2024-01',
    week: '2024-W03',
    time: '12:00',
    color: '#336699',
    checkbox: 'on',
    radio: 'on',
  }),
);

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/mail/i, 'visitor@example.com'],
  [/url|link|website/i, 'https://www.example.com/'],
  [/date/i, '2024-01-15'],
  [/year/i, '2024'],
  [/phone|zip|postcode/i, '55501'],
  [/(?:^|_)id$|count|page|limit|offset|size|num|qty|quantity|amount|price|age$/i, '1'],
];

/** The value for a field without one. */
export const usualValue = (name: string, type: string): string =>
  BY_TYPE.get(type) ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'test';
