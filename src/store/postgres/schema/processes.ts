/**
 * The processes that are there. A function that members may call is SECURITY DEFINER; a helper is not, and nobody but the
 * owner may execute it. Names are written in full, and the role is always `session_user`.
 */
export const PROCESSES = `
CREATE TABLE huddle.store (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  version integer NOT NULL,
  id uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid()
);

CREATE TABLE huddle.process (
  id uuid PRIMARY KEY DEFAULT pg_catalog.gen_random_uuid(),
  role text NOT NULL,
  host text NOT NULL CHECK (pg_catalog.octet_length(host) <= 255 AND host !~ '[[:cntrl:]]'),
  pid integer NOT NULL,
  version text NOT NULL CHECK (pg_catalog.octet_length(version) <= 64 AND version !~ '[[:cntrl:]]'),
  offers text CHECK (pg_catalog.octet_length(offers) <= 65536),
  arrived timestamptz NOT NULL DEFAULT pg_catalog.now(),
  seen timestamptz NOT NULL DEFAULT pg_catalog.now(),
  expires timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX process_expires ON huddle.process (expires);

-- So long lives a process that says no more; at most 15 s, whatever it asks for.
CREATE FUNCTION huddle.lease_end(milliseconds integer) RETURNS timestamptz LANGUAGE sql STABLE
AS $$ SELECT pg_catalog.now() + least(greatest(milliseconds, 0), 15000) * interval '1 millisecond' $$;

CREATE FUNCTION huddle.require_process(process uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM huddle.process p WHERE p.id = require_process.process AND p.role = session_user) THEN
    RAISE EXCEPTION 'no such process of this role' USING ERRCODE = 'HU007';
  END IF;
END $$;

CREATE FUNCTION huddle.arrive(host text, pid integer, version text, lease integer) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  made uuid;
BEGIN
  -- A week is long enough to say when somebody was last seen.
  DELETE FROM huddle.process WHERE id IN (
    SELECT p.id FROM huddle.process p
    WHERE p.expires < now() - interval '7 days'
      AND NOT EXISTS (SELECT FROM huddle.conversation c WHERE c.holder = p.id)
    LIMIT 100 FOR UPDATE SKIP LOCKED);
  INSERT INTO huddle.process (role, host, pid, version, expires)
  VALUES (session_user, arrive.host, arrive.pid, arrive.version, huddle.lease_end(arrive.lease))
  RETURNING id INTO made;
  RETURN made;
END $$;

-- Says whether the row had expired, so that others may have taken over.
CREATE FUNCTION huddle.renew(process uuid, lease integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  has_lapsed boolean;
BEGIN
  SELECT p.expires < now() INTO has_lapsed FROM huddle.process p
  WHERE p.id = renew.process AND p.role = session_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such process of this role' USING ERRCODE = 'HU007'; END IF;
  UPDATE huddle.process p SET expires = huddle.lease_end(renew.lease), seen = now() WHERE p.id = renew.process;
  RETURN has_lapsed;
END $$;

CREATE FUNCTION huddle.offer(process uuid, offers text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM huddle.require_process(offer.process);
  UPDATE huddle.process p SET offers = offer.offers WHERE p.id = offer.process;
END $$;

-- A clean end frees at once what the process held.
CREATE FUNCTION huddle.leave(process uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM huddle.require_process(leave.process);
  UPDATE huddle.conversation c SET holder = NULL WHERE c.holder = leave.process;
  UPDATE huddle.process p SET expires = now(), seen = now(), offers = NULL WHERE p.id = leave.process;
END $$;
`;
