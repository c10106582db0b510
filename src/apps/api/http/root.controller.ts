import { Controller, Get, Res } from '@nestjs/common';
import type { ApiResponse } from '../../../platform/api/api-request';
import { Config } from '../../../platform/config/load-config';
import { portalUrl } from '../../../platform/config/portal-address';
import { OpenRoute } from '../../../platform/http/operation';

@Controller()
export class RootController {
  constructor(private readonly config: Config) {}

  /** Leads a browser to Swagger UI. Other clients never get a redirect, so they get the addresses. */
  @OpenRoute()
  @Get()
  show(@Res() response: ApiResponse): void {
    const { BASE_PATH } = this.config;
    const documentation = `${BASE_PATH}/docs`;
    const links = {
      service: 'Assay',
      api: `${BASE_PATH}/v1`,
      documentation,
      openapi: `${BASE_PATH}/openapi.json`,
      client: `${BASE_PATH}/client/assay.cjs`,
      portal: this.config.PORTAL_PORT === 'off' && this.config.PORTAL_URL === undefined ? null : portalUrl(this.config),
    };
    const sendLinks = (): void => void response.json(links);
    response.format({
      'application/json': sendLinks,
      'text/html': () => response.redirect(documentation),
      default: sendLinks,
    });
  }
}
