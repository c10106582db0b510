const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

// `npm install` runs this. It configures the hooks only in a checkout of this project: not inside another repository, not as a
// dependency, not in CI, and not if hooks are already configured.
const project = join(__dirname, '..');
const git = (...args) => execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: 'pipe' }).trim();

function configured() {
  try {
    return git('config', '--get', 'core.hooksPath');
  } catch {
    return '';
  }
}

if (existsSync(join(project, '.git')) && !process.env.CI && configured() === '') {
  try {
    git('config', 'core.hooksPath', '.githooks');
  } catch (error) {
    console.warn(`The commit hook is not set up: ${error.message}. Run: git config core.hooksPath .githooks`);
  }
}
