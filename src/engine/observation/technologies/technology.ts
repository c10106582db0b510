/** A text that only pages of the technology contain, and an expression for the text around it. */
export type PageMark = string | readonly [mark: string, around: RegExp];

/**
 * A technology and how it shows itself. The groups `version`, `update` (of a version) and `os` of the expressions are what
 * the target states. Each expression reads a few hundred characters, and has no nested and no adjacent unbounded repetitions.
 */
export interface Technology {
  readonly name: string;
  readonly vendor: string;
  /** The vendor and product in CPE names, with the part in front where it is not `a`. */
  readonly cpe?: string;
  /** By the IANA names of services. */
  readonly greetings?: Readonly<Record<string, RegExp>>;
  /** By the lower-case name. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** The name of a cookie. */
  readonly cookie?: RegExp;
  /** What a `generator` of the page states. */
  readonly generator?: RegExp;
  readonly page?: readonly PageMark[];
  /** Addresses of scripts and style sheets. */
  readonly scripts?: readonly RegExp[];
  /** The favicon, as `Statement` counts it. */
  readonly icons?: readonly number[];
}
