/** Conversations that a worker is asked to hold, from the request to the end. Deleted a day after that. */
export const FLEETS = `
CREATE TABLE huddle.fleet (
  conversation text COLLATE "C" PRIMARY KEY CHECK (conversation ~ '^[A-Za-z0-9-]{1,64}$'),
  worker_role text NOT NULL,
  asked_by text NOT NULL,
  -- Signed by the machine that asks; nothing else of this row makes a worker start anything.
  request text NOT NULL CHECK (pg_catalog.octet_length(request) <= 4194304),
  -- The body of the wish that it begins with.
  said text NOT NULL CHECK (pg_catalog.octet_length(said) <= 4194304),
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'held', 'ended', 'refused', 'withdrawn')),
  refusal text CHECK (pg_catalog.octet_length(refusal) <= 65536),
  changed timestamptz NOT NULL DEFAULT pg_catalog.now()
);
CREATE INDEX fleet_changed ON huddle.fleet (changed) WHERE state NOT IN ('asked', 'held');

-- Says whether it is asked now: another conversation may have this id.
CREATE FUNCTION huddle.ask_fleet(conversation text, worker_role text, request text, said text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  DELETE FROM huddle.fleet WHERE conversation IN (
    SELECT f.conversation FROM huddle.fleet f
    WHERE f.state NOT IN ('asked', 'held') AND f.changed < now() - interval '1 day'
    LIMIT 100 FOR UPDATE SKIP LOCKED);
  IF EXISTS (SELECT FROM huddle.conversation c WHERE c.id = ask_fleet.conversation) THEN RETURN false; END IF;
  INSERT INTO huddle.fleet (conversation, worker_role, asked_by, request, said)
  VALUES (ask_fleet.conversation, ask_fleet.worker_role, session_user, ask_fleet.request, ask_fleet.said)
  ON CONFLICT (conversation) DO NOTHING;
  RETURN FOUND;
END $$;

-- Gives the request to a process of the role that it is for, and no row when there is nothing to do any more.
CREATE FUNCTION huddle.hold_fleet(conversation text, process uuid)
RETURNS TABLE (request text, asked_by text, said text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM huddle.require_process(hold_fleet.process);
  RETURN QUERY UPDATE huddle.fleet f SET state = 'held', changed = now()
  WHERE f.conversation = hold_fleet.conversation AND f.worker_role = session_user AND f.state IN ('asked', 'held')
  RETURNING f.request, f.asked_by, f.said;
END $$;

-- The wish that the conversation begins with, as the role that asked: for the process that holds both. Null once it is taken.
CREATE FUNCTION huddle.begin_fleet(conversation text, process uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  asked huddle.fleet;
  held bigint;
  begun huddle.wish;
  -- Of no process, so that nobody else fulfils it.
  nobody CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  PERFORM huddle.require_process(begin_fleet.process);
  SELECT f.* INTO asked FROM huddle.fleet f
  WHERE f.conversation = begin_fleet.conversation AND f.worker_role = session_user AND f.state = 'held' FOR UPDATE;
  SELECT c.number INTO held FROM huddle.conversation c
  WHERE c.id = begin_fleet.conversation AND c.holder = begin_fleet.process AND c.created_by = session_user;
  IF asked IS NULL OR held IS NULL THEN RAISE EXCEPTION 'it is not held' USING ERRCODE = 'HU002'; END IF;
  SELECT w.* INTO begun FROM huddle.wish w WHERE w.conversation = held AND w.process = nobody;
  IF begun.is_settled THEN RETURN NULL; END IF;
  IF begun.number IS NULL THEN
    INSERT INTO huddle.wish (conversation, role, process, sitting, key, kind, body)
    VALUES (held, asked.asked_by, nobody, nobody, gen_random_uuid(), 'say', asked.said)
    RETURNING * INTO begun;
  END IF;
  RETURN begun.number;
END $$;

-- The end of it, by the role that it is for; with a refusal: it was never begun.
CREATE FUNCTION huddle.end_fleet(conversation text, refusal text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE huddle.fleet f
  SET state = CASE WHEN end_fleet.refusal IS NULL THEN 'ended' ELSE 'refused' END,
      refusal = end_fleet.refusal, changed = now()
  WHERE f.conversation = end_fleet.conversation AND f.worker_role = session_user AND f.state = 'held';
END $$;

-- Takes back what no worker has begun; says whether it did.
CREATE FUNCTION huddle.withdraw_fleet(conversation text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE huddle.fleet f SET state = 'withdrawn', changed = now()
  WHERE f.conversation = withdraw_fleet.conversation AND f.asked_by = session_user AND f.state = 'asked';
  RETURN FOUND;
END $$;
`;
