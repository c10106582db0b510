import type { CertificateFacts } from '../transport/exchange';

/** `filtered`: nothing answered, so that it is unknown whether anything listens. */
export type PortState = 'open' | 'closed' | 'filtered';

/** A technology as one response stated it; what the response did not state is empty. */
export interface TechnologySeen {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  readonly os: string;
  /** A CPE 2.3 formatted string, or empty. */
  readonly cpe: string;
  /** Which response showed it, in words: `Server header of https://www.example.com/`. */
  readonly source: string;
}

/** How a port answered. Only open ports have more than a state. */
export interface PortSeen {
  readonly port: number;
  readonly state: PortState;
  /** The IANA name of what it speaks; null if it did not say so. Never taken from the number of the port. */
  readonly service: string | null;
  /** How the service is encrypted: from the first byte, or after a command such as STARTTLS. */
  readonly security: 'tls' | 'starttls' | null;
  readonly certificate: CertificateFacts | null;
  readonly technologies: readonly TechnologySeen[];
}

/** What one look at an address showed. */
export interface HostSeen {
  readonly address: string;
  readonly ports: readonly PortSeen[];
  /** Why the look ended before all ports were tried; null if they were. */
  readonly stopped: string | null;
}

/** What a service said by itself or to a harmless hello: what technologies are read from. */
export type Statement =
  | { readonly kind: 'greeting'; readonly service: string; readonly text: string; readonly source: string }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: string;
      /** The MurmurHash3 of the favicon, as search engines for exposed hosts count it. */
      readonly iconHash?: number;
    };
