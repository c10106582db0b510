import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../platform/config/load-config';
import { Signer } from '../../platform/config/signer';
import type { Notice } from '../frame/page';
import type { PortalRequest } from './portal-request';
import { clearNoticeCookie, noticeCookie, setNoticeCookie } from './session-cookie';

const MAX_LENGTH = 1_000;
/** Browsers refuse a cookie of more than 4 KB. */
const MAX_ENCODED_LENGTH = 3_500;
const MAX_AGE_MS = 60_000;
const SIGNED = /^(?<signature>[\w-]+)\.(?<text>.+)$/s;

/**
 * Sentences that the next page shows once, after a form has redirected to it. They are signed for the session, so that another
 * host that can set cookies, or another user, cannot put a sentence into the portal.
 */
@Injectable()
export class Notices {
  private readonly signer: Signer;

  constructor(private readonly config: Config) {
    this.signer = new Signer(config, 'notice with undo');
  }

  set(request: PortalRequest, response: Response, { text: whole, undo }: Notice): void {
    let text = (whole.length <= MAX_LENGTH ? whole : `${whole.slice(0, MAX_LENGTH)} …`).toWellFormed();
    // Each character of some languages is encoded as nine.
    while (!isShort({ text })) text = `${text.slice(0, -100)} …`.toWellFormed();
    const kept = JSON.stringify(isShort({ text, undo }) ? { text, undo } : { text });
    setNoticeCookie(response, this.config, `${this.signer.sign(signedText(request, kept))}.${kept}`, MAX_AGE_MS);
  }

  take(request: PortalRequest, response: Response): Notice | undefined {
    const encoded = noticeCookie(request, this.config);
    if (encoded === undefined) return undefined;
    clearNoticeCookie(response, this.config);
    const { signature = '', text = '' } = SIGNED.exec(decoded(encoded))?.groups ?? {};
    return this.signer.hasSigned(signedText(request, text), signature) ? (JSON.parse(text) as Notice) : undefined;
  }
}

const isShort = (notice: Notice): boolean => encodeURIComponent(JSON.stringify(notice)).length <= MAX_ENCODED_LENGTH;

const signedText = ({ portalSession }: PortalRequest, text: string): string => `${portalSession?.id ?? 'none'} ${text}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
