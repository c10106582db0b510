import type { CertificateFacts, TechnologySeen } from '../../../engine';
import type { Hosting } from '../../assets/domain/hosting';

/** Something counts as gone after this many looks in a row that did not show it. A single look may have met a slow moment. */
export const MISSES_UNTIL_GONE = 2;

/** The most important first: new exposure, then what needs attention, then the rest. */
export const CHANGE_KINDS = [
  'host_new',
  'port_opened',
  'service_changed',
  'certificate_expires',
  'hosting_changed',
  'address_changed',
  'certificate_replaced',
  'version_changed',
  'technology_added',
  'technology_removed',
  'port_closed',
  'host_gone',
] as const;

/** Those of one kind stay in their order. */
export const byImportance = <C extends { readonly kind: ChangeKind }>(changes: readonly C[]): C[] =>
  changes.toSorted((one, other) => CHANGE_KINDS.indexOf(one.kind) - CHANGE_KINDS.indexOf(other.kind));

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A difference between two observations. `before` and `after` have what differs, in the form of the API. */
export interface Change {
  readonly kind: ChangeKind;
  readonly address: string | null;
  readonly port: number | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export type KnownTechnology = TechnologySeen & {
  /** How many looks in a row did not show it. */
  readonly misses: number;
};

/** A port that was open at least once. */
export interface KnownPort {
  readonly port: number;
  readonly isOpen: boolean;
  readonly service: string | null;
  readonly security: 'tls' | 'starttls' | null;
  readonly certificate: CertificateFacts | null;
  /** How many days before its end a change last reported that the certificate expires. */
  readonly notifiedDays: number | null;
  readonly technologies: readonly KnownTechnology[];
  /** How many looks in a row did not show it open. */
  readonly misses: number;
}

export interface KnownHost {
  readonly address: string;
  readonly isGone: boolean;
  readonly misses: number;
  readonly ports: readonly KnownPort[];
}

/** What is known of an asset from its observations. */
export interface KnownAsset {
  readonly hosts: readonly KnownHost[];
  /** The last reported addresses of a name; empty before the first look. */
  readonly addresses: readonly string[];
  readonly hosting: Hosting | null;
  /** The ports of the last look. */
  readonly watched: ReadonlySet<number>;
  /** Whether nothing is known yet: the first look shows no differences. */
  readonly isFirst: boolean;
}
