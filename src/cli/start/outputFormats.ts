export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const EXPORT_FORMATS = ['md', 'json', 'jsonl', 'html'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
