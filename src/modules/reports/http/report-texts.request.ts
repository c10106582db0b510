import { invalid } from '../../../kernel/domain-error';
import { markdownRefusal } from '../../../kernel/markdown-limits';
import { Name, TextWithRule } from '../../../platform/http/fields';
import { MAX_TEXT_LENGTH } from '../domain/report-options';

function requireMarkdown(text: string): void {
  const problem = text.trim() === '' ? 'must not be blank.' : markdownRefusal(text);
  if (problem !== null) throw invalid(`It ${problem}`);
}

const Markdown = (description: string): PropertyDecorator =>
  TextWithRule(
    requireMarkdown,
    { maxLength: MAX_TEXT_LENGTH },
    { nullable: true, description: `Markdown: ${description}` },
  );

/** Pdf, html and json show them as written by the caller. */
export class ReportTextsRequest {
  @Markdown('for readers who read nothing else.')
  summary?: string | null;

  @Name(200, { nullable: true, description: 'The overall rating.', example: 'Moderate risk' })
  rating?: string | null;

  @Markdown('what follows from the findings.')
  conclusion?: string | null;

  @Markdown('what to do now.')
  next_steps?: string | null;
}
