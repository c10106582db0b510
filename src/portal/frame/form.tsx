import { type ComponentChildren, createContext, type InputHTMLAttributes, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { useView } from './view';

interface FormProps {
  readonly action: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A form that changes something. It carries the token that other sites cannot read. */
export function Form({ children, ...rest }: FormProps): VNode {
  const { csrfToken, refusedForm } = useView();
  const typed = refusedForm?.action === rest.action ? refusedForm.fields : undefined;
  return (
    <form method="post" {...rest}>
      {csrfToken !== undefined && <input type="hidden" name="csrf" value={csrfToken} />}
      <TypedFields.Provider value={typed}>{children}</TypedFields.Provider>
    </form>
  );
}

/** What was typed into a form that was refused. */
const TypedFields = createContext<Readonly<Record<string, unknown>> | undefined>(undefined);

/** The text of a field: as it was typed into a refused form, or else as it is now. */
export function useTyped(name: string, now: string | number | null | undefined): string {
  const typed = useContext(TypedFields)?.[name];
  return typeof typed === 'string' ? typed : String(now ?? '');
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly input?: Partial<InputHTMLAttributes>;
}

export function Field({ name, label, hint, input }: FieldProps): VNode {
  const text = useTyped(name, input?.value as string | undefined);
  const value = input?.type === 'password' ? undefined : text;
  const attributes = { type: 'text', required: true, ...input, value } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...attributes} id={name} name={name} aria-describedby={hint && `${name}-hint`} />
      <Hint name={name} text={hint} />
    </div>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly label: string;
  readonly checked?: boolean;
}

export function Checkbox({ name, label, checked = false }: CheckboxProps): VNode {
  const typed = useContext(TypedFields);
  return (
    <label class="flag">
      <input
        type="checkbox"
        name={name}
        value="true"
        checked={typed === undefined ? checked : typed[name] === 'true'}
      />{' '}
      {label}
    </label>
  );
}

interface TextAreaProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string | null;
  readonly rows?: number;
  readonly maxLength?: number;
  readonly required?: boolean;
}

export function TextArea({ name, label, hint, value, rows = 3, maxLength, required }: TextAreaProps): VNode {
  const text = useTyped(name, value);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea {...{ id: name, name, rows, maxLength, required }} aria-describedby={hint && `${name}-hint`}>
        {text}
      </textarea>
      <Hint name={name} text={hint} />
    </div>
  );
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: string | number; readonly label: string }[];
  readonly value?: string | number | null;
}

export function Select({ name, label, hint, options, value }: SelectProps): VNode {
  const selected = useTyped(name, value);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} aria-describedby={hint && `${name}-hint`}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={String(option.value) === selected}>
            {option.label}
          </option>
        ))}
      </select>
      <Hint name={name} text={hint} />
    </div>
  );
}

const Hint = ({ name, text }: { name: string; text: string | undefined }): VNode | null =>
  text === undefined ? null : (
    <p class="hint" id={`${name}-hint`}>
      {text}
    </p>
  );

/** The sentence of a refused form, read aloud by screen readers. */
export const FormError = ({ children }: { children: ComponentChildren }): VNode => (
  <p class="form-error" role="alert">
    {children}
  </p>
);
