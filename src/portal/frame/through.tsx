import type { VNode } from 'preact';

/** The beacon next to a place: the same address behind two beacons is two places. */
export const Through = ({ beacon }: { beacon: { readonly name: string } | undefined }): VNode | null =>
  beacon === undefined ? null : <span class="muted">, through {beacon.name}</span>;
