/** The frames of a connection of an agent, and of a link of a worker. `README.md` describes them. */
export const FRAME = {
  control: 1,
  open: 2,
  opened: 3,
  failed: 4,
  data: 5,
  window: 6,
  end: 7,
  reset: 8,
  request: 9,
  response: 10,
} as const;

export type FrameType = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  readonly type: number;
  /** The stream or request that it belongs to; 0 for control messages. */
  readonly id: number;
  readonly payload: Buffer;
}

const HEADER_BYTES = 5;
/** Of the payload: no stream occupies the connection for longer than this at a time. */
export const MAX_DATA_BYTES = 16_384;
const MAX_PAYLOAD_BYTES = 65_536;
export const MAX_FRAME_BYTES = HEADER_BYTES + MAX_PAYLOAD_BYTES;

/** The other side does not follow the protocol: the connection is closed with this reason. */
export class ProtocolError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ProtocolError';
  }
}

export function encodeFrame(type: FrameType, id: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.writeUInt8(type, 0);
  frame.writeUInt32BE(id, 1);
  payload.copy(frame, HEADER_BYTES);
  return frame;
}

export function decodeFrame(bytes: Buffer): Frame {
  if (bytes.length < HEADER_BYTES) throw new ProtocolError('a frame is too short');
  if (bytes.length > MAX_FRAME_BYTES) throw new ProtocolError('a frame is too long');
  return { type: bytes.readUInt8(0), id: bytes.readUInt32BE(1), payload: bytes.subarray(HEADER_BYTES) };
}

export const encodeJson = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** The fields of a JSON object, of which nothing is known yet. */
export function decodeJson(payload: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    throw new ProtocolError('a message is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProtocolError('a message is not an object');
  return value as Readonly<Record<string, unknown>>;
}
