import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How likely it is that a CVE is exploited in the next 30 days, as FIRST publishes it. */
@Entity({ name: 'epss_scores' })
export class EpssScore {
  @PrimaryColumn({ type: 'text' })
  cve!: string;

  /** From 0 to 1. */
  @Column({ type: 'double precision' })
  score!: number;

  /** The share of all CVEs with at most this score. */
  @Column({ type: 'double precision' })
  percentile!: number;
}
