import type { VNode } from 'preact';
import { type AssetAccount, presentedRecipe } from '../../modules/accounts';
import { Card } from '../frame/card';
import { Form } from '../frame/form';

/** A sign-in that a browser has recorded: what is left of it, and another one. */
export function RecordedSignIn({ account, base }: { account: AssetAccount; base: string }): VNode {
  const recorded = account.signInReport?.recorded;
  return (
    <Card id="recorded" title="Sign-in from a recording">
      {recorded !== undefined && (
        <Form action={`${base}/recorded`}>
          <p>These requests sign in. If you save them, they replace the sign-in of the account and its password.</p>
          <pre dir="auto">{JSON.stringify(presentedRecipe(recorded), null, 2)}</pre>
          <button class="primary">Save this sign-in</button>
        </Form>
      )}
      <Form action={`${base}/har`} encType="multipart/form-data" class="form">
        <div class="field">
          <label for="har">HAR file</label>
          <input type="file" id="har" name="har" required accept=".har,.json" aria-describedby="har-hint" />
          <p class="hint" id="har-hint">
            Sign in once with the network tab of your browser open, and export it. At most 4 MiB. Up to 30 sign-ins find
            the fewest requests. Only the password and those requests are kept.
          </p>
        </div>
        <button>Try the recording</button>
      </Form>
    </Card>
  );
}
