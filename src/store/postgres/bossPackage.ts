/** The queues in the database. Users do not install them, and whoever only talks in a shared store does not load them. */
export { getConstructionPlans, PgBoss } from 'pg-boss';
