/** Names of shared stores, as team files and the command line have them. */
export const STORE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;
