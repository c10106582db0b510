/** Why it does not start, in a sentence that says what to do about it: printed as it is, without a stack. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
