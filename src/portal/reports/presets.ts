import { REPORT_SECTIONS, type ReportKind, type ReportSection } from '../../modules/reports';

/** What the form of a report begins with. */
export interface Preset {
  readonly label: string;
  readonly hint: string;
  readonly kind: ReportKind;
  /** Of the annex, if there is one. */
  readonly sections: readonly ReportSection[];
  readonly annex: 'full' | 'none';
  readonly isCompared: boolean;
}

export const PRESETS = {
  full: {
    label: 'Full report',
    hint: 'Every finding with its evidence, for the people who fix and for auditors.',
    kind: 'report',
    sections: REPORT_SECTIONS,
    annex: 'full',
    isCompared: false,
  },
  management: {
    label: 'Management summary',
    hint: 'Two pages for a board: the result, the trend, what is most urgent and why it is believed, and what was not tested.',
    kind: 'report',
    sections: REPORT_SECTIONS,
    annex: 'none',
    isCompared: false,
  },
  letter: {
    label: 'Attestation letter',
    hint: 'One page for customers: what was tested, when and how, and the findings by severity and state.',
    kind: 'letter',
    sections: ['summary'],
    annex: 'full',
    isCompared: false,
  },
  comparison: {
    label: 'Retest comparison',
    hint: 'What is new, fixed, still open and back again since an earlier report, with the proofs.',
    kind: 'report',
    sections: ['summary', 'plan', 'findings', 'evidence', 'retests'],
    annex: 'full',
    isCompared: true,
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];
