interface FileResult {
  readonly testFilePath: string;
  readonly testExecError: Error | undefined;
  readonly testResults: readonly {
    readonly status: string;
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly failureMessages: readonly string[];
  }[];
}

declare const FailedTests: { list(rootDir: string, results: readonly FileResult[]): string[] };
export = FailedTests;
