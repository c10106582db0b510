const SWAP = /^b0VIM \d/;

/** Recognizes the file that Vim leaves behind while another file is edited. */
export const vimSwapFile = (text: string): string | null =>
  SWAP.test(text) ? 'it is the swap file of an editor' : null;
