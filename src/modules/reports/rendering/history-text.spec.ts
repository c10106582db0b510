import { historyText } from './history-text';

describe('historyText', () => {
  const uuid = '019a4000-0000-7000-8000-000000000001';
  const comment = `Retest ${uuid}: still_vulnerable. it answers with the file.`;

  it.each([
    [comment, 'Retest: still vulnerable. It answers with the file.'],
    [`Retest ${uuid}: fixed.`, 'Retest: fixed.'],
    ['Retest it on Monday.', 'Retest it on Monday.'],
  ])('replaces the id of a retest, which says nothing to readers: %s', (written, shown) => {
    expect(historyText(written)).toBe(shown);
  });

  it('omits the reason if the retest is listed with the finding, because it is there', () => {
    expect(historyText(comment, [{ uuid }])).toBe('Retest: still vulnerable.');
    expect(historyText(comment, [{ uuid: uuid.replace(/1$/, '2') }])).toContain('It answers with the file.');
  });
});
