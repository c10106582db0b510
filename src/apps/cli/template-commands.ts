import type { Command } from 'commander';
import { DomainError } from '../../kernel/domain-error';
import { withExample } from './command-example';

interface LoadTemplatesOptions {
  readonly retire?: boolean;
  readonly allowRefused?: boolean;
}

export function addTemplateCommands(program: Command): void {
  withExample(program.command('check-template'), 'check-template templates/')
    .description('Check which templates run as they are, and what in the others does not. Needs no database.')
    .argument('<path>', 'a template, or a folder with templates')
    .action(async (path: string) => {
      const { checkTemplates } = await import('./check-template.js');
      const { text, templates, refused } = await checkTemplates(path);
      process.stdout.write(text);
      if (refused > 0) throw new DomainError('unprocessable', `${refused} of ${templates} templates are refused.`);
    });

  withExample(program.command('load-templates'), 'load-templates templates/')
    .description(
      'Load templates into the library of the installation, for all organizations. The exit code is 1 if files are refused; the ' +
        'others are loaded.',
    )
    .argument('<path>', 'a template, or a folder with templates')
    .option('--retire', 'retire templates of the library that no file of the folder has')
    .option('--allow-refused', 'exit with 0 although files are refused')
    .action(async (path: string, { retire = false, allowRefused = false }: LoadTemplatesOptions) => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { loadTemplates } = await import('./load-templates.js');
      const { text, files, refused } = await loadTemplates(config, path, retire);
      process.stdout.write(text);
      if (refused > 0 && !allowRefused)
        throw new DomainError(
          'unprocessable',
          `${refused} of ${files} files are refused. The others are loaded. Use --allow-refused if that is intended.`,
        );
    });
}
