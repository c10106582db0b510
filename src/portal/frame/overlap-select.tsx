import type { VNode } from 'preact';
import { Select } from './form';

const OVERLAPS = [
  { value: 24, label: 'one more day' },
  { value: 168, label: 'one more week' },
  { value: 0, label: 'no longer' },
];

/** How long a secret works after it was replaced. */
export const OverlapSelect = ({ id, label }: { id: string; label: string }): VNode => (
  <Select name="overlap_hours" id={id} label={label} options={OVERLAPS} />
);
