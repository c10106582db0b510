import type { VNode } from 'preact';
import { Select } from './form';

/** A group or a member, as the API names them. */
export interface OwnerOption {
  readonly value: string;
  readonly label: string;
}

interface OwnerSelectProps {
  readonly label: string;
  readonly hint?: string;
  readonly owners: readonly OwnerOption[];
  readonly value: string | null | undefined;
  /** The label of the empty value. */
  readonly none: string;
}

const REMOVED = 'A removed member or group';

/** For a filter: also the caller with the caller's groups, and nobody. */
export const ownerFilters = (owners: readonly OwnerOption[]): readonly OwnerOption[] => [
  { value: 'me', label: 'Me and my groups' },
  { value: 'none', label: 'No one' },
  ...owners,
];

export const ownerName = (owners: readonly OwnerOption[], owner: string): string =>
  ownerFilters(owners).find(({ value }) => value === owner)?.label ?? REMOVED;

/** The select of an owner. One that was removed stays chosen until another is. */
export function OwnerSelect({ owners, value, none, ...field }: OwnerSelectProps): VNode {
  const isKnown = value == null || owners.some((one) => one.value === value);
  const options = [{ value: '', label: none }, ...(isKnown ? [] : [{ value, label: REMOVED }]), ...owners];
  return <Select name="owner" options={options} value={value ?? ''} {...field} />;
}
