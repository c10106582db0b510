import type { ReportSnapshot } from '../../domain/report-snapshot';
import { after } from './snapshot-of';

/** What a person has added to the demo's report, and what its options leave out. */
export const demoAdditions: Pick<ReportSnapshot, 'assessment' | 'comparison' | 'left_out'> = {
  left_out: [
    {
      id: 90,
      title: 'A result of an old file',
      asset_value: 'shop.nordwind.example',
      severity: 'high',
      status_name: 'open',
      reasons: ['It was last seen on 2026-01-20, before the period.'],
    },
    {
      id: 91,
      title: 'A banner',
      asset_value: 'mail.nordwind.example',
      severity: 'info',
      status_name: 'informative',
      reasons: ['It was left out by choice.', 'Its severity is below low.'],
    },
  ],
  assessment: {
    author: 'Ada Ito',
    written: after(430),
    rating: 'Moderate risk',
    texts: [
      {
        title: 'Summary',
        md: 'The shop is **in good shape**, with one exception:\n\n- the order search',
        html: '<p>The shop is <strong>in good shape</strong>, with one exception:</p><ul><li>the order search</li></ul>',
      },
      {
        title: 'Next steps',
        md: 'Repair the search *this week*.',
        html: '<p>Repair the search <em>this week</em>.</p>',
      },
    ],
  },
  comparison: {
    report_id: 31,
    taken: after(200),
    counts: { regressed: 1, new: 0, still_open: 1, fixed: 1, set_aside: 0 },
    findings: (
      [
        [1, 'regressed', 'resolved', 'open'],
        [2, 'still_open', 'open', 'in_progress'],
        [400, 'fixed', 'open', 'resolved'],
      ] as const
    ).map(([id, state, was, is]) => ({
      id,
      title: `Compared finding ${id}`,
      asset_value: 'shop.nordwind.example',
      severity: 'high',
      state,
      was,
      is,
    })),
    notes: ['2 findings were in the earlier report and deleted or merged since.'],
  },
};
