import { REPORT_SECTIONS, type ReportKind, type ReportSection } from '../../modules/reports';

/** What the form of a report begins with. */
export interface Preset {
  readonly label: string;
  readonly hint: string;
  readonly kind: ReportKind;
  readonly sections: readonly ReportSection[];
  readonly isCompared: boolean;
}

export const PRESETS = {
  full: {
    label: 'Full report',
    hint: 'Every finding with its evidence, for the people who fix and for auditors.',
    kind: 'report',
    sections: REPORT_SECTIONS,
    isCompared: false,
  },
  management: {
    label: 'Management summary',
    hint: 'Your assessment, the numbers, the plan and the scope, without details of findings.',
    kind: 'report',
    sections: ['summary', 'plan', 'scope'],
    isCompared: false,
  },
  letter: {
    label: 'Attestation letter',
    hint: 'One page for customers: what was tested, when and how, and the findings by severity and state.',
    kind: 'letter',
    sections: ['summary'],
    isCompared: false,
  },
  comparison: {
    label: 'Retest comparison',
    hint: 'What is new, fixed, still open and back again since an earlier report, with the proofs.',
    kind: 'report',
    sections: ['summary', 'plan', 'findings', 'evidence', 'retests'],
    isCompared: true,
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];
