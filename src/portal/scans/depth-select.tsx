import type { VNode } from 'preact';
import type { TestDepth } from '../../kernel/test-depth';
import { Select } from '../frame/form';

const OPTIONS: readonly { readonly value: TestDepth; readonly label: string }[] = [
  { value: 'standard', label: 'Standard' },
  { value: 'active', label: 'Active, up to 2 hours' },
];

interface DepthSelectProps {
  readonly label: string;
  readonly value?: TestDepth | null;
}

export const DepthSelect = ({ label, value }: DepthSelectProps): VNode => (
  <Select name="depth" label={label} options={OPTIONS} value={value ?? 'standard'} />
);
