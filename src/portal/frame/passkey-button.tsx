import type { VNode } from 'preact';

interface PasskeyButtonProps {
  /** Where the script gets the options for the browser. */
  readonly options: string;
  readonly label: string;
  readonly kind?: 'primary';
}

/** In a form, which the script sends with the answer of the browser. Without it, a sentence says why there is no button. */
export const PasskeyButton = ({ options, label, kind }: PasskeyButtonProps): VNode => (
  <div class="passkey">
    <input type="hidden" name="response" value="" />
    <button type="button" class={kind} data-passkey={options} hidden>
      {label}
    </button>
    <p class="hint">Passkeys need a current browser that runs scripts.</p>
    <p class="form-error" role="alert" hidden />
  </div>
);
