import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { MarkdownRenderer, severityOfFinding } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import type { Preview } from './finding-fields';
import type { FindingForm } from './finding-edits.requests';

/** Shows what a form says before it is saved, with the renderer and the calculator that save it. */
@Injectable()
export class FindingPreviews {
  constructor(private readonly markdown: MarkdownRenderer) {}

  async of({ tenant }: Caller, form: FindingForm): Promise<Preview> {
    const { md, remediation, unchosen } = form;
    const htmlOf = async (text: string | null | undefined): Promise<string | null> =>
      text == null ? null : (await this.markdown.render(text, tenant)).html;
    try {
      const stated = unchosen.length > 0 ? {} : form.stated;
      const isKept = Object.values(stated).every((value) => value === undefined);
      const rating = isKept ? null : severityOfFinding(stated);
      const html = { html: await htmlOf(md), remediationHtml: await htmlOf(remediation) };
      return { ...html, rating, problem: null, unchosen: unchosen.length };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { html: null, remediationHtml: null, rating: null, problem: error.message, unchosen: 0 };
    }
  }
}
