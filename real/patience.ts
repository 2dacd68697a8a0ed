/**
 * Milliseconds after which something here is held to hang. No test waits for the clock: each ends with what it waits for,
 * however busy the machine is.
 */
export const HANGS_AFTER = 600_000;

/** The time of a turn and of what has to be gone after it: a test that fails says why before it is stopped itself. */
export const TURN_HANGS_AFTER = HANGS_AFTER / 2;
