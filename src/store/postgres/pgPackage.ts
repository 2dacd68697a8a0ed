/** The driver of the database. Users do not install it, and without a shared store it is not loaded. */
export { default as pg } from 'pg';
