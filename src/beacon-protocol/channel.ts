/** Carries whole frames to the other side, in order. */
export interface Channel {
  /** Resolves when the frame has been passed on, which takes as long as the other side does not read. */
  send(frame: Buffer): Promise<void>;
  /** Ends the connection; the other side gets the reason if the carrier can send one. */
  close(reason: string): void;
}
