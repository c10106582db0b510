/** An error that prevents the start. Its message says what to do, and is printed without a stack. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
