import type { VNode } from 'preact';
import { MAX_LABELS_LENGTH } from '../../modules/findings';
import { Field } from './form';

interface LabelsProps {
  readonly labels: readonly string[];
  /** The list of the records with a label. */
  readonly hrefOf: (label: string) => string;
}

/** Each leads to the list of the records with it. */
export const Labels = ({ labels, hrefOf }: LabelsProps): VNode | null =>
  labels.length === 0 ? null : (
    <span class="labels">
      {labels.map((label) => (
        <a key={label} class="label" href={hrefOf(label)} dir="auto">
          {label}
        </a>
      ))}
    </span>
  );

interface LabelsFieldProps {
  readonly name?: string;
  readonly label?: string;
  readonly labels?: readonly string[];
}

export const LabelsField = ({ name = 'labels', label = 'Labels', labels = [] }: LabelsFieldProps): VNode => (
  <Field
    name={name}
    label={`${label}, with commas between them`}
    input={{ value: labels.join(', '), maxLength: MAX_LABELS_LENGTH, dir: 'auto', required: false }}
  />
);
