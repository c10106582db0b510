import { join } from 'node:path';

const WORKSPACE = join(__dirname, 'template');

/** A file that the template can read under this path. */
export interface Picture {
  readonly path: string;
  readonly content: Buffer;
}

/**
 * Sets a document with the template. The compiler is native code: it holds the thread until it is done, and the process that
 * runs it is limited from outside. It is loaded on first use, so the other formats work on platforms that it lacks.
 */
export async function typeset(
  document: object,
  fonts: readonly Buffer[],
  pictures: readonly Picture[] = [],
): Promise<Buffer> {
  const { NodeCompiler, PdfStandard } = await import('@myriaddreamin/typst-ts-node-compiler');
  const compiler = NodeCompiler.create({ workspace: WORKSPACE, fontArgs: [{ fontBlobs: [...fonts] }] });
  for (const { path, content } of pictures) compiler.mapShadow(join(WORKSPACE, path), content);
  const compiled = compiler.compile({
    mainFilePath: join(WORKSPACE, 'report.typ'),
    inputs: { report: JSON.stringify(document) },
  });
  const { result } = compiled;
  if (result === null) {
    throw new Error(`The PDF cannot be typeset: ${JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics)}`);
  }
  // The cache of the layout is a quarter of all memory, and the export does not use it.
  compiler.evictCache(0);
  try {
    return compiler.pdf(result, { pdfStandard: PdfStandard.UA_1 });
  } catch {
    // The report does not conform to PDF/UA-1, but a tagged report is better than none.
    return compiler.pdf(result);
  }
}
