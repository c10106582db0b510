/** What the thread answers: the bytes, or why there can be none. */
export type Rendered = { readonly content: Uint8Array } | { readonly unrenderable: string };

/** What the thread is told when nobody wants its answer any more. */
export const STOP = 'stop';
