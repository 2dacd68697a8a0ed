import { lookUp } from './records.js';

/** What sort of tool something is, in the words of the Agent Client Protocol. */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'switch_mode'
  | 'other';

/** A dialect's tools by name. */
export type ToolKinds = Readonly<Record<string, ToolKind>>;

/** A tool that the table does not know may do anything. */
export function kindOf(kinds: ToolKinds, name: string): ToolKind {
  return lookUp(kinds, name) ?? 'other';
}
