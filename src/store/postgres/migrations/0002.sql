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

DROP FUNCTION huddle.ask_turn, huddle.claim_turn, huddle.count_account, huddle.hold_fleet, huddle.ask_fleet,
  huddle.make_partition;
DROP TABLE huddle.account_limit, huddle.account;

-- What the holder of a conversation has to say of a turn that it asked for. In rows of its own, which no worker can lock: one that
-- keeps a transaction open on a turn keeps nobody waiting.
CREATE TABLE huddle.turn_holding (
  turn bigint PRIMARY KEY REFERENCES huddle.turn ON DELETE CASCADE,
  taken integer NOT NULL DEFAULT 0,
  given_up text CHECK (given_up IN ('lost', 'withdrawn')),
  -- Reports after this one came too late.
  given_up_after integer CHECK ((given_up_after IS NULL) = (given_up IS NULL)),
  is_over boolean NOT NULL DEFAULT false
);
INSERT INTO huddle.turn_holding (turn, taken, given_up, given_up_after)
SELECT t.number, t.taken, given.up, CASE WHEN given.up IS NOT NULL THEN t.reported END
FROM huddle.turn t, LATERAL (SELECT CASE WHEN t.state IN ('lost', 'withdrawn') THEN t.state END) AS given (up);
ALTER TABLE huddle.turn DROP taken;

-- Whether the holder of its conversation wants a turn no more, whatever its worker says.
CREATE FUNCTION huddle.is_given_up(turn bigint) RETURNS boolean LANGUAGE sql STABLE
AS $$ SELECT EXISTS (SELECT FROM huddle.turn_holding h WHERE h.turn = is_given_up.turn AND h.given_up IS NOT NULL) $$;

-- Deletes a turn that is over, unless its worker is just busy with the row: then whoever comes next does.
CREATE FUNCTION huddle.forget_turn(turn bigint) RETURNS void LANGUAGE sql AS $$
  DELETE FROM huddle.turn WHERE number IN (
    SELECT t.number FROM huddle.turn t JOIN huddle.turn_holding h ON h.turn = t.number
    WHERE t.number = forget_turn.turn AND h.is_over FOR UPDATE OF t SKIP LOCKED)
$$;

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
  PERFORM huddle.forget_turn(h.turn) FROM huddle.turn_holding h JOIN huddle.turn t ON t.number = h.turn
  WHERE t.conversation = held AND h.is_over;
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
  -- Whoever stays in a transaction has what one claim locks, not what a thousand do.
  IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
    RAISE EXCEPTION 'a claim has a transaction of its own' USING ERRCODE = 'active_sql_transaction';
  END IF;
  IF NOT huddle.is_here(claim_turn.process) THEN RETURN; END IF;
  -- The same process asks again, because the answer got lost.
  SELECT t.number INTO chosen FROM huddle.turn t
  WHERE t.process = claim_turn.process AND t.worker_role = session_user AND t.state = 'running' AND t.reported = 0
    AND NOT huddle.is_given_up(t.number) AND t.number <> ALL (claim_turn.in_hand) LIMIT 1;
  WHILE chosen IS NULL LOOP
    SELECT t.number, o.account, o.at_once INTO found_row FROM huddle.turn t
    LEFT JOIN jsonb_to_recordset(claim_turn.offered) AS o (member text, account text, at_once integer, is_busy boolean)
      ON o.member = t.member
    WHERE t.worker_role = session_user AND t.state = 'asked' AND o.is_busy IS NOT TRUE
      AND NOT huddle.is_given_up(t.number)
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
    AND NOT huddle.is_given_up(t.number)
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

-- Gives the state of the turn afterwards. Reports of one that does not run any more are not written.
CREATE OR REPLACE FUNCTION huddle.report_turn(turn bigint, process uuid, first integer, bodies text[], is_end boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  found_row huddle.turn;
  holding huddle.turn_holding;
  last integer := report_turn.first + cardinality(report_turn.bodies) - 1;
  size bigint := (SELECT sum(octet_length(body)) FROM unnest(report_turn.bodies) body);
BEGIN
  PERFORM huddle.require_process(report_turn.process);
  SELECT t.* INTO found_row FROM huddle.turn t WHERE t.number = report_turn.turn FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'gone'; END IF;
  IF found_row.process IS DISTINCT FROM report_turn.process OR found_row.worker_role <> session_user THEN
    RAISE EXCEPTION 'another process runs it' USING ERRCODE = 'HU010';
  END IF;
  SELECT h.* INTO holding FROM huddle.turn_holding h WHERE h.turn = report_turn.turn;
  IF holding.given_up IS NOT NULL THEN
    PERFORM huddle.forget_turn(report_turn.turn);
    RETURN holding.given_up;
  END IF;
  IF found_row.state <> 'running' OR last <= found_row.reported THEN RETURN found_row.state; END IF;
  IF report_turn.first <> found_row.reported + 1 OR last < report_turn.first OR last IS NULL THEN
    RAISE EXCEPTION 'the last report is %', found_row.reported USING ERRCODE = 'HU008';
  END IF;
  IF size > 4194304 OR found_row.bytes + size > 67108864 THEN
    RAISE EXCEPTION 'too large' USING ERRCODE = 'HU011';
  END IF;
  INSERT INTO huddle.turn_event (turn, number, body)
  SELECT report_turn.turn, report_turn.first + place::integer - 1, body
  FROM unnest(report_turn.bodies) WITH ORDINALITY AS given (body, place);
  UPDATE huddle.turn t SET reported = last, bytes = t.bytes + size,
    state = CASE WHEN report_turn.is_end THEN 'ended' ELSE 'running' END
  WHERE t.number = report_turn.turn;
  RETURN CASE WHEN report_turn.is_end THEN 'ended' ELSE 'running' END;
END $$;

-- Nobody wants the turn any more. Where its end was first, the end counts.
CREATE OR REPLACE FUNCTION huddle.withdraw_turn(conversation text, process uuid, turn bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN huddle.give_up_turn(
    huddle.require_holder(withdraw_turn.conversation, withdraw_turn.process), withdraw_turn.turn, 'withdrawn');
END $$;

-- Only of a worker that is gone by the clock of the database.
CREATE OR REPLACE FUNCTION huddle.lose_turn(conversation text, process uuid, turn bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN huddle.give_up_turn(huddle.require_holder(lose_turn.conversation, lose_turn.process), lose_turn.turn, 'lost');
END $$;

-- Gives the state of the turn afterwards; null where there is none.
CREATE FUNCTION huddle.give_up_turn(conversation bigint, turn bigint, given_up text) RETURNS text LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO huddle.turn_holding AS h (turn, given_up, given_up_after)
  SELECT t.number, give_up_turn.given_up, t.reported FROM huddle.turn t
  WHERE t.number = give_up_turn.turn AND t.conversation = give_up_turn.conversation
    AND (t.state = 'running' AND (give_up_turn.given_up = 'withdrawn' OR NOT huddle.is_here(t.process))
      OR t.state = 'asked' AND give_up_turn.given_up = 'withdrawn')
  ON CONFLICT (turn) DO UPDATE SET given_up = excluded.given_up, given_up_after = excluded.given_up_after
  WHERE h.given_up IS NULL;
  RETURN (
    SELECT coalesce(h.given_up, t.state) FROM huddle.turn t LEFT JOIN huddle.turn_holding h ON h.turn = t.number
    WHERE t.number = give_up_turn.turn AND t.conversation = give_up_turn.conversation);
END $$;

-- The answers with which turns of workers ended, by a hash that the worker reports: with it the holder cannot write another one.
CREATE TABLE huddle.answer (
  conversation bigint NOT NULL REFERENCES huddle.conversation ON DELETE CASCADE,
  turn text NOT NULL,
  role text NOT NULL,
  sha256 text NOT NULL,
  PRIMARY KEY (conversation, turn)
);
-- Answers up to this event were taken before that.
ALTER TABLE huddle.conversation ADD answers_from integer NOT NULL DEFAULT 0;
UPDATE huddle.conversation SET answers_from = last_seq;

-- Takes the reports of a turn up to a number, once, in the transaction of the events that follow from them. The end of a
-- turn takes its last report; one that was lost or withdrawn has none, and its end takes the number after the last. With
-- its end the turn is gone.
CREATE OR REPLACE FUNCTION huddle.take_reports(conversation bigint, turn text, up_to integer) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  found_row huddle.turn;
  holding huddle.turn_holding;
  ending integer;
BEGIN
  SELECT t.* INTO found_row FROM huddle.turn t
  WHERE t.conversation = take_reports.conversation AND t.id = take_reports.turn;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such turn' USING ERRCODE = 'HU010'; END IF;
  INSERT INTO huddle.turn_holding AS h (turn) VALUES (found_row.number)
  ON CONFLICT (turn) DO UPDATE SET taken = h.taken RETURNING h.* INTO holding;
  ending := coalesce(holding.given_up_after + 1, found_row.reported);
  IF take_reports.up_to IS NULL OR take_reports.up_to <= holding.taken OR take_reports.up_to > ending OR holding.is_over THEN
    RAISE EXCEPTION 'taken up to %, reported up to %', holding.taken, found_row.reported USING ERRCODE = 'HU010';
  END IF;
  UPDATE huddle.turn_holding h SET taken = take_reports.up_to,
    is_over = take_reports.up_to = ending AND (holding.given_up IS NOT NULL OR found_row.state = 'ended')
  WHERE h.turn = found_row.number;
  -- The answer that a turn ends with is noted; the first one counts.
  IF found_row.state = 'ended' AND holding.given_up IS NULL AND take_reports.up_to = ending THEN
    INSERT INTO huddle.answer (conversation, turn, role, sha256)
    SELECT found_row.conversation, found_row.id, found_row.worker_role, substr(e.body, 10, 64)
    FROM huddle.turn_event e
    WHERE e.turn = found_row.number AND e.number = found_row.reported AND e.body ~ '^\{"said":"[0-9a-f]{64}"'
    ON CONFLICT DO NOTHING;
  END IF;
  PERFORM huddle.forget_turn(found_row.number);
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

-- Nobody waits for the row of a process that is long gone: it is deleted when nothing hangs on it that another transaction has.
CREATE OR REPLACE FUNCTION huddle.arrive(host text, pid integer, version text, lease integer) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  -- A week is long enough to say when somebody was last seen.
  gone uuid[] := ARRAY(
    SELECT p.id FROM huddle.process p
    WHERE p.expires < now() - interval '7 days'
      AND NOT EXISTS (SELECT FROM huddle.conversation c WHERE c.holder = p.id)
    LIMIT 100 FOR UPDATE SKIP LOCKED);
  made uuid;
BEGIN
  DELETE FROM huddle.attendance WHERE (conversation, process) IN (
    SELECT a.conversation, a.process FROM huddle.attendance a WHERE a.process = ANY (gone) FOR UPDATE SKIP LOCKED);
  DELETE FROM huddle.account_limit WHERE (account, process) IN (
    SELECT l.account, l.process FROM huddle.account_limit l WHERE l.process = ANY (gone) FOR UPDATE SKIP LOCKED);
  DELETE FROM huddle.process p WHERE p.id = ANY (gone)
    AND NOT EXISTS (SELECT FROM huddle.attendance a WHERE a.process = p.id)
    AND NOT EXISTS (SELECT FROM huddle.account_limit l WHERE l.process = p.id);
  INSERT INTO huddle.process (role, host, pid, version, expires)
  VALUES (session_user, arrive.host, arrive.pid, arrive.version, huddle.lease_end(arrive.lease))
  RETURNING id INTO made;
  RETURN made;
END $$;

-- The row of a conversation that is to be changed, locked until the end of the transaction. A row whose holder lives is locked only
-- for the holder's own role: nobody else can make the holder wait. Who keeps it locked for too long is named.
CREATE OR REPLACE FUNCTION huddle.lock_conversation(id text) RETURNS huddle.conversation LANGUAGE plpgsql AS $$
DECLARE
  found_row huddle.conversation;
  held_by huddle.process;
BEGIN
  SELECT c.* INTO found_row FROM huddle.conversation c WHERE c.id = lock_conversation.id;
  SELECT p.* INTO held_by FROM huddle.process p WHERE p.id = found_row.holder;
  IF held_by.expires > now() AND held_by.role <> session_user THEN
    PERFORM huddle.refuse_held(held_by, found_row.held_since);
  END IF;
  SELECT c.* INTO found_row FROM huddle.conversation c WHERE c.id = lock_conversation.id FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN RETURN found_row; END IF;
  BEGIN
    SELECT c.* INTO found_row FROM huddle.conversation c WHERE c.id = lock_conversation.id FOR NO KEY UPDATE;
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'another transaction has locked it' USING ERRCODE = 'lock_not_available', DETAIL = coalesce((
      SELECT a.usename::text FROM huddle.conversation c
      JOIN pg_locks l ON l.locktype = 'transactionid' AND l.transactionid = c.xmax AND l.granted
      JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE c.id = lock_conversation.id LIMIT 1), '');
  END;
  IF found_row.id IS NULL THEN RAISE EXCEPTION 'no such conversation' USING ERRCODE = 'HU001'; END IF;
  RETURN found_row;
END $$;

-- A partition for every million conversations: a day of a large store, dropped as a whole. One that is not needed yet is left to
-- whoever is making it.
CREATE FUNCTION huddle.make_partition(conversation bigint, is_needed boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part bigint := make_partition.conversation / 1000000;
  name text := 'event_' || part;
BEGIN
  IF to_regclass('huddle.' || name) IS NOT NULL THEN RETURN; END IF;
  -- A row that members cannot lock: an advisory lock could be anybody's.
  IF make_partition.is_needed THEN PERFORM FROM huddle.store s FOR NO KEY UPDATE;
  ELSE PERFORM FROM huddle.store s FOR NO KEY UPDATE SKIP LOCKED;
  END IF;
  IF NOT FOUND OR to_regclass('huddle.' || name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE huddle.%I (LIKE huddle.event INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE huddle.event ATTACH PARTITION huddle.%I FOR VALUES FROM (%s) TO (%s)',
    name, part * 1000000, (part + 1) * 1000000);
END $$;

CREATE OR REPLACE FUNCTION huddle.create_conversation(
  id text, process uuid, tally text, place text,
  OUT number bigint, OUT fence bigint, OUT channel text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM huddle.require_process(create_conversation.process);
  INSERT INTO huddle.conversation AS c (id, created_by, tally, fence, holder, held_since)
  VALUES (create_conversation.id, session_user, create_conversation.tally, 1, create_conversation.process, now())
  ON CONFLICT (id) DO NOTHING
  RETURNING c.number, c.fence, c.channel
  INTO create_conversation.number, create_conversation.fence, create_conversation.channel;
  IF NOT FOUND THEN RAISE EXCEPTION 'it is there already' USING ERRCODE = 'HU004'; END IF;
  PERFORM huddle.make_partition(create_conversation.number, true);
  -- Half a partition ahead, so that nobody waits for one.
  PERFORM huddle.make_partition(create_conversation.number + 500000, false);
  PERFORM huddle.note_visit(create_conversation.number, create_conversation.place);
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

-- Nobody waits longer than this for a row that another transaction has: a role cannot be kept from leaving one open.
DO $$
DECLARE
  called regprocedure;
BEGIN
  FOR called IN SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.pronamespace = 'huddle'::regnamespace AND p.prosecdef LOOP
    EXECUTE pg_catalog.format('ALTER FUNCTION %s SET lock_timeout = %L', called, '2s');
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA huddle FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA huddle FROM PUBLIC;
