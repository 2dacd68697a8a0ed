/** Time for a test, and for what is done before and after it. One that needs more says so; none has less. */
export const TEST_MILLISECONDS = 60_000;
