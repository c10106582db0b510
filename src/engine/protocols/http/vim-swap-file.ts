const SWAP = /^b0VIM \d/;

/** What a file is, when it is what Vim leaves behind of a file that was being edited. */
export const vimSwapFile = (text: string): string | null =>
  SWAP.test(text) ? 'it is the swap file of an editor' : null;
