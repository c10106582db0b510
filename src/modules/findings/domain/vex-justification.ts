import { invalid } from '../../../kernel/domain-error';
import { FINDING_STATUS, type FindingStatus, labelOfStatus } from './finding-status';

/** Why a vulnerability does not affect a product: the justifications of OpenVEX, which are the flags of CSAF. */
export const VEX_JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;

export type VexJustification = (typeof VEX_JUSTIFICATIONS)[number];

/** An accepted risk with a justification is stated as `not_affected`, as the others are without one. */
const JUSTIFIABLE: readonly FindingStatus[] = [
  FINDING_STATUS.risk_accepted,
  FINDING_STATUS.false_positive,
  FINDING_STATUS.informative,
];

export function requireJustifiable(to: FindingStatus, justification: VexJustification | null): void {
  if (justification === null || JUSTIFIABLE.includes(to)) return;
  throw invalid(`justification is only allowed with the statuses ${JUSTIFIABLE.map(labelOfStatus).join(', ')}.`);
}
