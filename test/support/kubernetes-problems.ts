import { dirname, join } from 'node:path';
import ts from 'typescript';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const types = dirname(require.resolve('kubernetes-types/package.json'));

/** `networking.k8s.io/v1` is in `networking/v1`, and `v1` in `core/v1`. */
const moduleOf = (apiVersion: string): string =>
  apiVersion === 'v1' ? 'core/v1' : apiVersion.replace(/(?:\.authorization)?\.k8s\.io(?=\/)/, '');

/**
 * The errors of the compiler for these manifests as values of the types of Kubernetes: unknown and missing fields, and wrong
 * types. JSON Schemas of Kubernetes allow unknown fields.
 */
export function kubernetesProblems(manifests: readonly Manifest[]): string[] {
  const statements = manifests.map((manifest, index) => {
    const type = `import('${types}/${moduleOf(manifest.apiVersion)}').${manifest.kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
  });
  const name = join(types, 'manifests.ts');
  const options: ts.CompilerOptions = { strict: true, lib: ['lib.es5.d.ts'], types: [], noEmit: true };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, statements.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile(file, ...rest);
  host.fileExists = (file) => file === name || fileExists(file);
  const program = ts.createProgram([name], options, host);
  const source = program.getSourceFile(name);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    if (file === undefined || file !== source) return message;
    const { kind, metadata } = manifests[file.getLineAndCharacterOfPosition(start).line] ?? {
      kind: '',
      metadata: { name: '' },
    };
    return `${kind} ${metadata.name}: ${message}`;
  });
}
