declare const specsOfSuite: Record<string, readonly string[]>;
export = specsOfSuite;
