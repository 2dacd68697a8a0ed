/** The public API of `agent-huddle`: a chosen list. */
export * from './context/index.js';
