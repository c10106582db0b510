import type { CertificateFacts } from '../transport/exchange';

/** `filtered`: there was no answer, so it is unknown whether anything listens. */
export type PortState = 'open' | 'closed' | 'filtered';

/** A technology as one response states it. Fields that the response does not state are empty. */
export interface TechnologySeen {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  readonly os: string;
  /** A CPE 2.3 formatted string, or an empty text. */
  readonly cpe: string;
  /** The response that showed it, in words: `Server header of https://www.example.com/`. */
  readonly source: string;
}

/** The result for a port. Only open ports have more than a state. */
export interface PortSeen {
  readonly port: number;
  readonly state: PortState;
  /** The IANA name of the protocol; null if the service did not identify itself. Never derived from the port number. */
  readonly service: string | null;
  /** How the service is encrypted: from the first byte, or after a command such as STARTTLS. */
  readonly security: 'tls' | 'starttls' | null;
  readonly certificate: CertificateFacts | null;
  readonly technologies: readonly TechnologySeen[];
}

/** The result of one look at an address. */
export interface HostSeen {
  readonly address: string;
  readonly ports: readonly PortSeen[];
  /** Why the look ended before all ports were tried; null if they were. */
  readonly stopped: string | null;
}

/** What a service stated by itself or in response to a harmless hello. Technologies are recognized in it. */
export type Statement =
  | { readonly kind: 'greeting'; readonly service: string; readonly text: string; readonly source: string }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: string;
      /** The MurmurHash3 of the favicon, as search engines for exposed hosts compute it. */
      readonly iconHash?: number;
    };
