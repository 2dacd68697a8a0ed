import { CONVERSATIONS } from './conversations.js';
import { FLEETS } from './fleets.js';
import { PROCESSES } from './processes.js';
import { TURNS } from './turns.js';
import { WISHES } from './wishes.js';

/** Version of the tables and functions that this Huddle knows. */
export const SHARED_VERSION = 1;

/** Makes a store in a database that has none, owned by the role of the session. */
export const SHARED_SCHEMA = `
CREATE SCHEMA huddle;
REVOKE ALL ON SCHEMA huddle FROM PUBLIC;
${PROCESSES}
${CONVERSATIONS}
${WISHES}
${TURNS}
${FLEETS}
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA huddle FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA huddle FROM PUBLIC;
INSERT INTO huddle.store (version) VALUES (${SHARED_VERSION});
`;
