import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../platform/config/load-config';
import { Signer } from '../../platform/config/signer';
import type { PortalRequest } from './portal-request';
import { clearNoticeCookie, noticeCookie, setNoticeCookie } from './session-cookie';

const MAX_LENGTH = 1_000;
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
    this.signer = new Signer(config, 'notice');
  }

  set(request: PortalRequest, response: Response, notice: string): void {
    const text = (notice.length <= MAX_LENGTH ? notice : `${notice.slice(0, MAX_LENGTH)} …`).toWellFormed();
    setNoticeCookie(response, this.config, `${this.signer.sign(signedText(request, text))}.${text}`, MAX_AGE_MS);
  }

  take(request: PortalRequest, response: Response): string | undefined {
    const encoded = noticeCookie(request, this.config);
    if (encoded === undefined) return undefined;
    clearNoticeCookie(response, this.config);
    const { signature = '', text = '' } = SIGNED.exec(decoded(encoded))?.groups ?? {};
    return this.signer.hasSigned(signedText(request, text), signature) ? text : undefined;
  }
}

const signedText = ({ portalSession }: PortalRequest, text: string): string => `${portalSession?.id ?? 'none'} ${text}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
