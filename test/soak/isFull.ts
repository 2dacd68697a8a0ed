/**
 * Whether the full figures of the promises are played, and held to their seconds: `npm run test:soak`. It runs every
 * test that imports this, from wherever it stands.
 */
export const isFull = process.env.HUDDLE_SOAK === '1';
