-- Workers claim what they are asked for where it is written. Before, jobs about it were in queues of pg-boss, in a schema of their own.

-- Roles that were invited to run turns for others.
CREATE TABLE huddle.worker (role text PRIMARY KEY);

CREATE FUNCTION huddle.require_worker(role text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM huddle.worker w WHERE w.role = require_worker.role) THEN
    RAISE EXCEPTION 'no worker' USING ERRCODE = 'HU012';
  END IF;
END $$;

-- Of two workers of a role the one that offers a member waits for nobody: what others wrote here has to be readable.
UPDATE huddle.process SET offers = NULL;
ALTER TABLE huddle.process ADD CONSTRAINT process_offers CHECK (offers IS NULL OR offers::jsonb IS NOT NULL);

-- People wait for an answer; a fleet waits until there is time for it.
ALTER TABLE huddle.turn ADD is_urgent boolean NOT NULL DEFAULT true;
-- Its place in its account.
ALTER TABLE huddle.turn ADD place integer;
CREATE INDEX turn_asked ON huddle.turn (worker_role, is_urgent DESC, number) WHERE state = 'asked';
CREATE INDEX turn_process ON huddle.turn (process) WHERE state = 'running';

ALTER TABLE huddle.fleet ADD number bigint GENERATED ALWAYS AS IDENTITY;
-- The process that holds it, and from when on the next one may.
ALTER TABLE huddle.fleet ADD process uuid;
ALTER TABLE huddle.fleet ADD not_before timestamptz NOT NULL DEFAULT pg_catalog.now();
CREATE INDEX fleet_open ON huddle.fleet (worker_role, number) WHERE state IN ('asked', 'held');

DROP FUNCTION huddle.ask_turn, huddle.claim_turn, huddle.count_account, huddle.hold_fleet, huddle.ask_fleet;
DROP TABLE huddle.account_limit, huddle.account;

-- Each worker says its own number, and the smallest of those that are here counts.
CREATE TABLE huddle.account_limit (
  account text NOT NULL CHECK (pg_catalog.octet_length(account) <= 256),
  process uuid NOT NULL REFERENCES huddle.process ON DELETE CASCADE,
  at_once integer NOT NULL CHECK (at_once > 0),
  PRIMARY KEY (account, process)
);

-- Rows that claims lock, one for each place of an account, so that two never get the same one. They are there from the start: who
-- makes a row lets others wait. Accounts share them; that costs a second claim at the same moment, not a place.
CREATE TABLE huddle.place_lock (number integer PRIMARY KEY);
INSERT INTO huddle.place_lock SELECT pg_catalog.generate_series(0, 1023);

-- Asked again with the same words, because the answer got lost, it is the same turn.
CREATE FUNCTION huddle.ask_turn(
  conversation text, process uuid, id text, member text, worker_role text, request text, is_watched boolean, is_urgent boolean,
  OUT number bigint, OUT channel text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  held bigint := huddle.require_holder(ask_turn.conversation, ask_turn.process);
BEGIN
  PERFORM huddle.require_worker(ask_turn.worker_role);
  INSERT INTO huddle.turn (conversation, id, member, worker_role, asked_by, request, is_watched, is_urgent)
  VALUES (held, ask_turn.id, ask_turn.member, ask_turn.worker_role, session_user, ask_turn.request, ask_turn.is_watched,
    ask_turn.is_urgent)
  ON CONFLICT (conversation, id) DO NOTHING;
  SELECT t.number, t.channel INTO ask_turn.number, ask_turn.channel FROM huddle.turn t
  WHERE t.conversation = held AND t.id = ask_turn.id AND t.request = ask_turn.request AND t.asked_by = session_user;
  IF NOT FOUND THEN RAISE EXCEPTION 'another turn has this id' USING ERRCODE = 'HU010'; END IF;
END $$;

-- Takes the next turn of this role that can run: of a member that is offered here and not busy, with a place in its account; or of
-- one that nobody offers, for the refusal. Rows of `offered`: member, account, at_once, is_busy.
CREATE FUNCTION huddle.claim_turn(process uuid, in_hand bigint[], offered jsonb)
RETURNS TABLE (
  number bigint, channel text, conversation text, turn text, member text, asked_by text, request text, is_watched boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  found_row record;
  chosen bigint;
  free_place integer;
  running integer;
  places integer;
  full_accounts text[] := '{}';
BEGIN
  PERFORM huddle.require_process(claim_turn.process);
  IF NOT huddle.is_here(claim_turn.process) THEN RETURN; END IF;
  -- The same process asks again, because the answer got lost.
  SELECT t.number INTO chosen FROM huddle.turn t
  WHERE t.process = claim_turn.process AND t.worker_role = session_user AND t.state = 'running' AND t.reported = 0
    AND t.number <> ALL (claim_turn.in_hand) LIMIT 1;
  WHILE chosen IS NULL LOOP
    SELECT t.number, o.account, o.at_once INTO found_row FROM huddle.turn t
    LEFT JOIN jsonb_to_recordset(claim_turn.offered) AS o (member text, account text, at_once integer, is_busy boolean)
      ON o.member = t.member
    WHERE t.worker_role = session_user AND t.state = 'asked' AND o.is_busy IS NOT TRUE
      AND (o.account IS NULL OR o.account <> ALL (full_accounts))
      AND (o.member IS NOT NULL OR NOT EXISTS (
        SELECT FROM huddle.process p
        WHERE p.role = session_user AND p.id <> claim_turn.process AND p.expires > now()
          AND p.offers::jsonb -> 'members' ? t.member))
    ORDER BY t.is_urgent DESC, t.number LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
    free_place := NULL;
    IF found_row.account IS NOT NULL THEN
      SELECT p.number, p.running, p.places INTO free_place, running, places
      FROM huddle.find_place(found_row.account, claim_turn.process, found_row.at_once) p;
      IF free_place IS NULL THEN
        full_accounts := full_accounts || found_row.account;
        UPDATE huddle.turn t
        SET waits_for = found_row.account, waits_running = running, waits_at_once = places
        WHERE t.number IN (
          SELECT w.number FROM huddle.turn w
          JOIN jsonb_to_recordset(claim_turn.offered) AS o (member text, account text) ON o.member = w.member
          WHERE w.worker_role = session_user AND w.state = 'asked' AND o.account = found_row.account
            AND (w.waits_for, w.waits_running, w.waits_at_once)
              IS DISTINCT FROM (found_row.account, running, places)
          LIMIT 100 FOR NO KEY UPDATE OF w SKIP LOCKED);
        CONTINUE;
      END IF;
    END IF;
    chosen := found_row.number;
    UPDATE huddle.turn t SET state = 'running', process = claim_turn.process, claimed = now(), account = found_row.account,
      place = free_place, waits_for = NULL, waits_running = NULL, waits_at_once = NULL
    WHERE t.number = chosen;
  END LOOP;
  RETURN QUERY SELECT t.number, t.channel, c.id, t.id, t.member, t.asked_by, t.request, t.is_watched
  FROM huddle.turn t JOIN huddle.conversation c ON c.number = t.conversation WHERE t.number = chosen;
END $$;

CREATE FUNCTION huddle.is_here(process uuid) RETURNS boolean LANGUAGE sql STABLE
AS $$ SELECT EXISTS (SELECT FROM huddle.process p WHERE p.id = is_here.process AND p.expires > pg_catalog.now()) $$;

-- The places of an account that are taken. Turns of those who are gone have none; one that runs since before there were places counts.
CREATE FUNCTION huddle.taken_places(account text) RETURNS integer[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(pg_catalog.array_agg(coalesce(t.place, 2147483647)), '{}') FROM huddle.turn t
  WHERE t.account = taken_places.account AND t.state = 'running' AND huddle.is_here(t.process)
$$;

-- A free place of an account, locked until the end of the transaction; no number when there is none. Nobody waits for a place that
-- another claim looks at: who does not go on with one has that one place and no more.
CREATE FUNCTION huddle.find_place(
  account text, process uuid, at_once integer, OUT number integer, OUT running integer, OUT places integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  taken integer[];
  last integer;
  after integer;
BEGIN
  INSERT INTO huddle.account_limit AS l (account, process, at_once)
  VALUES (find_place.account, find_place.process, find_place.at_once)
  ON CONFLICT (account, process) DO UPDATE SET at_once = excluded.at_once WHERE l.at_once <> excluded.at_once;
  SELECT min(l.at_once) INTO places FROM huddle.account_limit l
  WHERE l.account = find_place.account AND huddle.is_here(l.process);
  taken := huddle.taken_places(find_place.account);
  -- The last place that can be given: with it and all before it, and those that are taken after it, there are not too many. Places
  -- above the limit are taken where it was higher before.
  last := places;
  LOOP
    after := (SELECT count(*) FROM unnest(taken) AS t (place) WHERE t.place > last);
    EXIT WHEN last + after <= places;
    last := places - after;
  END LOOP;
  running := cardinality(taken);
  FOR free IN 1 .. last LOOP
    CONTINUE WHEN free = ANY (taken);
    PERFORM FROM huddle.place_lock k
    WHERE k.number = hashtext(find_place.account || '/' || free) & 1023 FOR UPDATE SKIP LOCKED;
    -- Whoever had locked it may have taken the place.
    IF FOUND AND free <> ALL (huddle.taken_places(find_place.account)) THEN number := free; RETURN; END IF;
  END LOOP;
END $$;

-- Says whether it is asked now: another conversation may have this id.
CREATE FUNCTION huddle.ask_fleet(conversation text, worker_role text, request text, said text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM huddle.require_worker(ask_fleet.worker_role);
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

-- Gives the next conversation of this role to a process of it: one that nobody has, also because its process is gone.
CREATE FUNCTION huddle.claim_fleet(process uuid, in_hand text[])
RETURNS TABLE (conversation text, request text, asked_by text, said text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM huddle.require_process(claim_fleet.process);
  IF NOT huddle.is_here(claim_fleet.process) THEN RETURN; END IF;
  RETURN QUERY UPDATE huddle.fleet f SET state = 'held', process = claim_fleet.process, changed = now()
  WHERE f.conversation = (
    SELECT n.conversation FROM huddle.fleet n
    WHERE n.worker_role = session_user AND n.state IN ('asked', 'held') AND n.not_before <= now()
      AND n.conversation <> ALL (claim_fleet.in_hand)
      AND (n.state = 'asked' OR n.process IS NULL OR n.process = claim_fleet.process OR NOT huddle.is_here(n.process))
    ORDER BY n.number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING f.conversation, f.request, f.asked_by, f.said;
END $$;

-- Gives one back: after a second it is anybody's of this role.
CREATE FUNCTION huddle.release_fleet(conversation text, process uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE huddle.fleet f SET process = NULL, not_before = now() + interval '1 s'
  WHERE f.conversation = release_fleet.conversation AND f.process = release_fleet.process
    AND f.worker_role = session_user AND f.state = 'held';
END $$;

-- What waits in the queues is in the tables as well, but for who is a worker and who comes first.
DO $$
BEGIN
  IF to_regclass('huddle_jobs.queue') IS NOT NULL THEN
    INSERT INTO huddle.worker SELECT substr(q.name, 7) FROM huddle_jobs.queue q WHERE q.name LIKE 'turns/%';
    UPDATE huddle.turn t SET is_urgent = false FROM huddle_jobs.job j
    WHERE j.name = 'turns/' || t.worker_role AND j.data ->> 'id' = t.number::text AND j.priority = 0;
    DROP SCHEMA huddle_jobs CASCADE;
  END IF;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA huddle FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA huddle FROM PUBLIC;
