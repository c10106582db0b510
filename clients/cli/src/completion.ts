import type { Command } from 'commander';
import { Problem } from './problem';

/** A script for a shell, with the commands and options of this program. */
export function completionFor(program: Command, shell: string): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    text: command.description().replaceAll(/[^\w ,.-]/g, ''),
    options: command.options.map(({ long }) => long ?? '').filter(Boolean),
  }));
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`).join('\n');
  const bash = `_assay() {
  local words="${names}"
  [ "$COMP_CWORD" -le 1 ] || case "\${COMP_WORDS[1]}" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _assay assay
`;
  if (shell === 'bash') return bash;
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
  if (shell === 'fish')
    return commands
      .flatMap(({ name, text, options }) => [
        `complete -c assay -n __fish_use_subcommand -f -a ${name} -d '${text}'`,
        ...options.map((one) => `complete -c assay -n '__fish_seen_subcommand_from ${name}' -l ${one.slice(2)}`),
      ])
      .join('\n')
      .concat('\n');
  throw new Problem(`There is no completion for ${shell}.`, 'Shells: bash, zsh, fish.');
}
