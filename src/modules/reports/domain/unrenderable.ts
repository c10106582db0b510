/** What a format cannot say; its message tells the reader why there is no file. */
export class Unrenderable extends Error {}
