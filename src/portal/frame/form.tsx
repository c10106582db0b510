import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';
import { useView } from './view';

interface FormProps {
  readonly action: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A form that changes something. It carries the token that other sites cannot read. */
export function Form({ children, ...rest }: FormProps): VNode {
  const { csrfToken } = useView();
  return (
    <form method="post" {...rest}>
      {csrfToken !== undefined && <input type="hidden" name="csrf" value={csrfToken} />}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly input?: Partial<InputHTMLAttributes>;
}

export const Field = ({ name, label, hint, input }: FieldProps): VNode => {
  const attributes = { type: 'text', required: true, ...input } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...attributes} id={name} name={name} aria-describedby={hint && `${name}-hint`} />
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** The sentence of a refused form, read aloud by screen readers. */
export const FormError = ({ children }: { children: ComponentChildren }): VNode => (
  <p class="form-error" role="alert">
    {children}
  </p>
);
