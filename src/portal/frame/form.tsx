import { type ComponentChildren, createContext, type InputHTMLAttributes, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { PAGE_FIELD, reasonInWords, refusedField, type RefusedForm } from './refused-form';
import { useView } from './view';

interface FormProps {
  readonly action: string;
  readonly class?: string;
  /** For files. */
  readonly encType?: 'multipart/form-data';
  readonly children: ComponentChildren;
}

/**
 * A form that changes something. It carries the token that other sites cannot read. If it was refused, it shows why, at the
 * field if the reason is about one, and its fields show what was typed.
 */
export function Form({ children, ...rest }: FormProps): VNode {
  const { csrfToken, formPage } = useView();
  const refusal = useRefusal(rest.action);
  const isAboveFields = refusal !== undefined && (refusal.isAboveFields || refusedField(refusal) === undefined);
  if (refusal !== undefined) refusal.hasForm = true;
  return (
    <form method="post" {...rest}>
      {csrfToken !== undefined && <input type="hidden" name="csrf" value={csrfToken} />}
      {formPage !== undefined && <input type="hidden" name={PAGE_FIELD} value={formPage} />}
      {isAboveFields && <Reason refusal={refusal} />}
      <Refusal.Provider value={refusal}>{children}</Refusal.Provider>
    </form>
  );
}

/** The refusal of the form with this action, or of its preview. */
export function useRefusal(action: string | undefined): RefusedForm | undefined {
  const { refusedForm } = useView();
  return action !== undefined && refusedForm?.action.replace(/\/preview$/, '') === action ? refusedForm : undefined;
}

/** Shown once on a page, also if several of its forms have the same action, or a field has shown it. */
function Reason({ refusal }: { refusal: RefusedForm }): VNode | null {
  if (refusal.isReasonShown) return null;
  refusal.isReasonShown = true;
  return <FormError>{reasonInWords(refusal)}</FormError>;
}

/** Of the form around a field. */
const Refusal = createContext<RefusedForm | undefined>(undefined);

/** The text of a field: as it was typed into a refused form, or else as it is now. */
function useTyped(name: string, now: string | number | null | undefined): string {
  const typed = useContext(Refusal)?.fields[name];
  return typeof typed === 'string' ? typed : String(now ?? '');
}

/** Why the form was refused, if it is about this field, with the label instead of the name in the API. */
function useError({ name, label }: Pick<FramedProps, 'name' | 'label'>): string | undefined {
  const refusal = useContext(Refusal);
  if (refusal === undefined || refusal.isReasonShown || refusedField(refusal) !== name) return undefined;
  refusal.isReasonShown = true;
  return label.split(',', 1)[0] + refusal.reason.slice(name.length).replace(/, or null\.$/, '.');
}

interface FramedProps {
  readonly name: string;
  /** If several forms of the page have a field with the name. */
  readonly id?: string;
  readonly label: string;
  /** Only for screen readers. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string;
}

interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly autofocus?: boolean;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** A field with its label, its hint and the reason for which it was refused. */
function Framed(props: FramedProps & { readonly children: (attributes: ControlAttributes) => VNode }): VNode {
  const { name, id = name, label, isLabelHidden = false, hint, children } = props;
  const error = useError(props);
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {error !== undefined && (
        <div id={`${id}-error`}>
          <FormError>{error}</FormError>
        </div>
      )}
      {children({
        id,
        name,
        ...(error !== undefined && { autofocus: true }),
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface FieldProps extends FramedProps {
  /** `data-unkept`: a credential, which the browser must not keep. */
  readonly input?: Partial<InputHTMLAttributes> & { readonly 'data-unkept'?: true };
}

export function Field({ input = {}, ...frame }: FieldProps): VNode {
  const text = useTyped(frame.name, input.value as string | undefined);
  const value = isSecret(input) ? undefined : text;
  const attributes = { type: 'text', required: true, ...input, value } as InputHTMLAttributes;
  return <Framed {...frame}>{(control) => <input {...attributes} {...control} />}</Framed>;
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
  const typed = useContext(Refusal)?.fields;
  return (
    <div class="field">
      <label class="flag">
        <input
          type="checkbox"
          name={name}
          value="true"
          checked={typed === undefined ? checked : typed[name] === 'true'}
        />{' '}
        <span>{label}</span>
      </label>
    </div>
  );
}

interface ChoicesProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly options: SelectProps['options'];
  readonly values: readonly (string | number)[];
}

/** Any of several options, each with a check box. */
export function Choices({ name, label, hint, options, values }: ChoicesProps): VNode {
  const error = useError({ name, label });
  const typed = useContext(Refusal)?.fields;
  const checked: readonly unknown[] = typed === undefined ? values : [typed[name]].flat();
  return (
    <fieldset class="field flags">
      <legend>{label}</legend>
      {error !== undefined && <FormError>{error}</FormError>}
      {options.map((option) => (
        <label key={option.value} class="flag">
          <input type="checkbox" name={name} value={option.value} checked={checked.includes(option.value)} />{' '}
          <span>{option.label}</span>
        </label>
      ))}
      {hint !== undefined && <p class="hint">{hint}</p>}
    </fieldset>
  );
}

interface TextAreaProps extends FramedProps {
  readonly value?: string | null;
  readonly rows?: number;
  readonly maxLength?: number;
  readonly required?: boolean;
  /** Where the script gets the names that it offers after an `@`. */
  readonly mentions?: string;
}

export function TextArea({ value, rows = 3, maxLength, required, mentions, ...frame }: TextAreaProps): VNode {
  const text = useTyped(frame.name, value);
  return (
    <Framed {...frame}>
      {(control) => (
        <textarea {...control} {...{ rows, maxLength, required }} data-mentions={mentions} dir="auto">
          {text}
        </textarea>
      )}
    </Framed>
  );
}

interface SelectProps extends FramedProps {
  readonly options: readonly { readonly value: string | number; readonly label: string }[];
  readonly value?: string | number | null;
  readonly required?: boolean;
}

export function Select({ options, value, required, ...frame }: SelectProps): VNode {
  const selected = useTyped(frame.name, value);
  return (
    <Framed {...frame}>
      {(control) => (
        <select {...control} required={required}>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={String(option.value) === selected}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}

/** The sentence of a refused form, read aloud by screen readers. */
export const FormError = ({ children }: { children: ComponentChildren }): VNode => (
  <p class="form-error" role="alert">
    {children}
  </p>
);
