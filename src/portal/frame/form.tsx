import {
  type ComponentChildren,
  createContext,
  type InputHTMLAttributes,
  type TextareaHTMLAttributes,
  type VNode,
} from 'preact';
import { useContext } from 'preact/hooks';
import { PAGE_FIELD } from '../http/form-again';
import type { RefusedForm } from '../http/portal-request';
import { useView } from './view';

interface FormProps {
  readonly action: string;
  readonly class?: string;
  /** For files. */
  readonly encType?: 'multipart/form-data';
  readonly children: ComponentChildren;
}

/**
 * A form that changes something. It carries the token that other sites cannot read. If it was refused, it shows why, and
 * its fields show what was typed.
 */
export function Form({ children, ...rest }: FormProps): VNode {
  const { csrfToken, formPage } = useView();
  const refusal = useRefusal(rest.action);
  return (
    <form method="post" {...rest}>
      {csrfToken !== undefined && <input type="hidden" name="csrf" value={csrfToken} />}
      {formPage !== undefined && <input type="hidden" name={PAGE_FIELD} value={formPage} />}
      {refusal !== undefined && <Reason refusal={refusal} />}
      <TypedFields.Provider value={refusal?.fields}>{children}</TypedFields.Provider>
    </form>
  );
}

/** The refusal of the form with this action. */
export function useRefusal(action: string | undefined): RefusedForm | undefined {
  const { refusedForm } = useView();
  return action !== undefined && refusedForm?.action === action ? refusedForm : undefined;
}

/** Once on a page, also if several of its forms have the same action. */
function Reason({ refusal }: { refusal: RefusedForm }): VNode | null {
  if (refusal.isReasonShown) return null;
  refusal.isReasonShown = true;
  return <FormError>{refusal.reason}</FormError>;
}

/** What was typed into a form that was refused. */
const TypedFields = createContext<Readonly<Record<string, unknown>> | undefined>(undefined);

/** The text of a field: as it was typed into a refused form, or else as it is now. */
export function useTyped(name: string, now: string | number | null | undefined): string {
  const typed = useContext(TypedFields)?.[name];
  return typeof typed === 'string' ? typed : String(now ?? '');
}

interface TypedProps {
  readonly name: string;
  /** Its value, unless something else was typed. */
  readonly now?: string | null;
}

/** A field whose label is around it. */
export const TypedInput = ({ name, now, ...rest }: TypedProps & InputHTMLAttributes): VNode => (
  <input {...rest} name={name} value={useTyped(name, now)} />
);

export const TypedTextArea = ({ name, now, ...rest }: TypedProps & TextareaHTMLAttributes): VNode => (
  <textarea {...rest} name={name}>
    {useTyped(name, now)}
  </textarea>
);

interface FieldProps {
  readonly name: string;
  /** If several forms of the page have a field with the name. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string;
  readonly input?: Partial<InputHTMLAttributes>;
}

export function Field({ name, id = name, label, hint, input = {} }: FieldProps): VNode {
  const text = useTyped(name, input.value as string | undefined);
  const value = isSecret(input) ? undefined : text;
  const attributes = { type: 'text', required: true, ...input, value } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...attributes} id={id} name={name} aria-describedby={hint && `${id}-hint`} />
      <Hint of={id} text={hint} />
    </div>
  );
}

/** Passwords and codes are never put into a page. */
const isSecret = ({ type, autocomplete }: Partial<InputHTMLAttributes>): boolean =>
  type === 'password' || autocomplete === 'one-time-code';

interface CheckboxProps {
  readonly name: string;
  readonly label: ComponentChildren;
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
      <span>{label}</span>
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
      <Hint of={name} text={hint} />
    </div>
  );
}

interface SelectProps {
  readonly name: string;
  /** If several forms of the page have a field with the name. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: string | number; readonly label: string }[];
  readonly value?: string | number | null;
}

export function Select({ name, id = name, label, hint, options, value }: SelectProps): VNode {
  const selected = useTyped(name, value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} aria-describedby={hint && `${id}-hint`}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={String(option.value) === selected}>
            {option.label}
          </option>
        ))}
      </select>
      <Hint of={id} text={hint} />
    </div>
  );
}

const Hint = ({ of, text }: { of: string; text: string | undefined }): VNode | null =>
  text === undefined ? null : (
    <p class="hint" id={`${of}-hint`}>
      {text}
    </p>
  );

/** The sentence of a refused form, read aloud by screen readers. */
export const FormError = ({ children }: { children: ComponentChildren }): VNode => (
  <p class="form-error" role="alert">
    {children}
  </p>
);
