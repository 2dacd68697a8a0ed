/** The one type of highlight.js that lowlight names. Its own declarations would add those of a browser to every file. */
export type LanguageFn = (api: unknown) => unknown;
