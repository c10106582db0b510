/** A text that only pages of the technology contain; optionally with an expression for the text around it. */
export type PageMark = string | readonly [mark: string, around: RegExp];

/**
 * A technology and its signs. The groups `version`, `update` (of a version) and `os` capture what the target states. Each
 * expression reads a few hundred characters, and has no nested and no adjacent unbounded repetitions.
 */
export interface Technology {
  readonly name: string;
  readonly vendor: string;
  /** The vendor and product in CPE names, preceded by the part if it is not `a`. */
  readonly cpe?: string;
  /** By IANA service name. */
  readonly greetings?: Readonly<Record<string, RegExp>>;
  /** By lower-case header name. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** The name of a cookie. */
  readonly cookie?: RegExp;
  /** The content of a `generator` in the page. */
  readonly generator?: RegExp;
  readonly page?: readonly PageMark[];
  /** Addresses of scripts and style sheets. */
  readonly scripts?: readonly RegExp[];
  /** Hashes of the favicon, as in `Statement`. */
  readonly icons?: readonly number[];
}
