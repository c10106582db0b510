import type { Duplex } from 'node:stream';
import { alertOf, type KeyClient, secureAs } from './handshake';
import { ExchangeError } from './exchange';
import type { Recording } from './recording';

/** A connection for one HTTP exchange. */
export interface HttpLine {
  readonly stream: Duplex;
  /** The stream and, with TLS, its underlying connection. */
  readonly parts: readonly Duplex[];
  readonly isHttp2: boolean;
}

const OFFERS = { either: ['h2', 'http/1.1'], 'HTTP/1.1': ['http/1.1'], 'HTTP/2': ['h2'] } as const;

type Offer = keyof typeof OFFERS;

/** Opens the connections of one exchange. */
export class HttpLines {
  constructor(
    private readonly dial: () => Promise<Duplex>,
    /** The server name for TLS; null without TLS. */
    private readonly tlsHost: string | null,
    private readonly recording: Recording,
    private readonly keyClient: KeyClient | undefined,
  ) {}

  /** If there is no common protocol, offers HTTP/2 to the target, provided that the request can be sent over it. */
  async open(offer: Offer, fitsHttp2: boolean): Promise<HttpLine> {
    try {
      return await this.connect(offer);
    } catch (error) {
      if (alertOf(error) !== 'no application protocol') throw error;
      if (!fitsHttp2)
        throw new ExchangeError('protocol', 'the target speaks HTTP/2 only, which this request cannot use');
      return this.connect('HTTP/2');
    }
  }

  /** Opens a new connection for a target that requires HTTP/1.1. */
  openAgain(): Promise<HttpLine> {
    return this.connect('HTTP/1.1');
  }

  private async connect(offer: Offer): Promise<HttpLine> {
    const parts: Duplex[] = [];
    const dial = async (): Promise<Duplex> => {
      const socket = await this.dial();
      // An earlier connection whose handshake was refused no longer counts.
      parts.splice(0, parts.length, socket);
      return socket;
    };
    if (this.tlsHost === null) return { stream: await dial(), parts, isHttp2: false };
    const stream = await secureAs(this.keyClient, dial, this.tlsHost, this.recording, OFFERS[offer]);
    parts.push(stream);
    return { stream, parts, isHttp2: stream.alpnProtocol === 'h2' };
  }
}
