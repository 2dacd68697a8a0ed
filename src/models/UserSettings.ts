import type { Language } from './Language.js';
import type { ModelPrice } from './Team.js';

/** Settings of a user for all folders, from the file in their configuration folder. What is absent has its default. */
export interface UserSettings {
  /** Language of screen, help and errors; otherwise that of the locale. */
  readonly language?: Language;
  /** Path of the team file that serves folders without one. */
  readonly team?: string;
  /** Prices for all folders; those of a team file come first. */
  readonly prices?: readonly ModelPrice[];
  /** Whether to notify through the terminal; on unless switched off. */
  readonly notifications?: boolean;
  /** Whether to paint in colours: as the terminal can, always, or never. */
  readonly colours?: 'auto' | 'always' | 'never';
}
