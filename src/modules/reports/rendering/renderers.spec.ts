import { REPORT_FORMATS } from '../domain/report-options';
import { FORMATS } from './formats';
import { RENDERERS } from './renderers';
import { canReadPdf, ReadPdf } from './testing/pdf-reader';
import { finding, snapshotOf } from './testing/snapshot-of';

it.each(REPORT_FORMATS)('%s is sent with the media type and extension of its renderer', (format) => {
  const { contentType, extension } = RENDERERS[format];
  expect({ contentType, extension }).toEqual(FORMATS[format]);
});

describe('a finding whose check is accepted on its asset', () => {
  const accepted_check = {
    asset_id: 7,
    asset_value: 'http://staging.example.com/',
    reason: 'Only in the office network.',
    until: '2027-01-31T23:59:59.999Z',
    accepted_by: 'admin@example.com',
  };
  const parts = ['31 Jan 2027', 'admin@example.com', 'http://staging.example.com/', 'Only in the office network.'];
  const snapshot = snapshotOf({ findings: [finding(1, { title: 'Plain HTTP', accepted_check })] });

  it.each(['html', 'csv', 'sarif'] as const)(
    'is marked in %s with the person, the end and the reason',
    async (format) => {
      const text = (await RENDERERS[format].render(snapshot)).toString().replace(/<[^>]*>/g, '');
      expect(parts.filter((part) => !text.includes(part))).toEqual([]);
    },
  );

  it('is marked in JSON with all fields', async () => {
    const { findings } = JSON.parse((await RENDERERS.json.render(snapshot)).toString()) as typeof snapshot;
    expect(findings[0]?.accepted_check).toEqual(accepted_check);
  });

  (canReadPdf ? it : it.skip)('is marked in PDF with the person, the end and the reason', async () => {
    expect(new ReadPdf(await RENDERERS.pdf.render(snapshot)).lacks(parts)).toEqual([]);
  });
});
