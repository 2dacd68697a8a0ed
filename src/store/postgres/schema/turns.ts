/**
 * Turns that workers run, and what they report of them. A turn goes asked → running → ended, or from either of the first
 * two to lost or withdrawn, each step once: every step is an update that names the state it leaves.
 */
export const TURNS = `
CREATE TABLE huddle.turn (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation bigint NOT NULL REFERENCES huddle.conversation ON DELETE CASCADE,
  id text NOT NULL CHECK (pg_catalog.octet_length(id) <= 64),
  member text NOT NULL CHECK (pg_catalog.octet_length(member) <= 256),
  worker_role text NOT NULL CHECK (pg_catalog.octet_length(worker_role) <= 63),
  asked_by text NOT NULL,
  asked timestamptz NOT NULL DEFAULT pg_catalog.now(),
  request text NOT NULL CHECK (pg_catalog.octet_length(request) <= 4194304),
  is_watched boolean NOT NULL,
  channel text NOT NULL DEFAULT 'huddle_' || pg_catalog.replace(pg_catalog.gen_random_uuid()::text, '-', ''),
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'running', 'ended', 'lost', 'withdrawn')),
  -- The process that took it. No reference: rows of processes that are long gone are removed.
  process uuid,
  claimed timestamptz,
  account text,
  -- The account that had no free place when a worker last tried, and how many places it had.
  waits_for text,
  waits_running integer,
  waits_at_once integer,
  reported integer NOT NULL DEFAULT 0,
  taken integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  UNIQUE (conversation, id)
) WITH (fillfactor = 50);
CREATE INDEX turn_account ON huddle.turn (account) WHERE state = 'running';

CREATE TABLE huddle.turn_event (
  turn bigint NOT NULL REFERENCES huddle.turn ON DELETE CASCADE,
  number integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (turn, number)
);

-- The row is what claims lock; the number in it is the one that held for the last of them.
CREATE TABLE huddle.account (
  name text PRIMARY KEY CHECK (pg_catalog.octet_length(name) <= 256),
  at_once integer NOT NULL
);

-- Each worker says its own number, and the smallest of those that are here counts.
CREATE TABLE huddle.account_limit (
  account text NOT NULL REFERENCES huddle.account,
  process uuid NOT NULL,
  at_once integer NOT NULL CHECK (at_once > 0),
  PRIMARY KEY (account, process)
);

-- The number of the conversation, if this process holds it.
CREATE FUNCTION huddle.require_holder(conversation text, process uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
BEGIN
  PERFORM huddle.require_process(require_holder.process);
  SELECT c.number INTO held FROM huddle.conversation c
  WHERE c.id = require_holder.conversation AND c.holder = require_holder.process FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'another process holds it now' USING ERRCODE = 'HU002'; END IF;
  RETURN held;
END $$;

-- Asked again with the same words, because the answer got lost, it is the same turn.
CREATE FUNCTION huddle.ask_turn(
  conversation text, process uuid, id text, member text, worker_role text, request text, is_watched boolean,
  OUT number bigint, OUT channel text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  held bigint := huddle.require_holder(ask_turn.conversation, ask_turn.process);
BEGIN
  INSERT INTO huddle.turn (conversation, id, member, worker_role, asked_by, request, is_watched)
  VALUES (held, ask_turn.id, ask_turn.member, ask_turn.worker_role, session_user, ask_turn.request, ask_turn.is_watched)
  ON CONFLICT (conversation, id) DO NOTHING;
  SELECT t.number, t.channel INTO ask_turn.number, ask_turn.channel FROM huddle.turn t
  WHERE t.conversation = held AND t.id = ask_turn.id AND t.request = ask_turn.request AND t.asked_by = session_user;
  IF NOT FOUND THEN RAISE EXCEPTION 'another turn has this id' USING ERRCODE = 'HU010'; END IF;
END $$;

-- The answer is running, full, or gone: somebody else has it, or nobody wants it any more.
CREATE FUNCTION huddle.claim_turn(
  turn bigint, process uuid, account text, at_once integer, OUT state text, OUT running integer, OUT places integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM huddle.require_process(claim_turn.process);
  -- The same process asks again, because the answer got lost.
  IF EXISTS (SELECT FROM huddle.turn t WHERE t.number = claim_turn.turn AND t.worker_role = session_user
    AND t.state = 'running' AND t.process = claim_turn.process AND t.reported = 0)
  THEN state := 'running'; RETURN; END IF;
  IF NOT EXISTS (SELECT FROM huddle.turn t
    WHERE t.number = claim_turn.turn AND t.worker_role = session_user AND t.state = 'asked')
    OR NOT EXISTS (SELECT FROM huddle.process p WHERE p.id = claim_turn.process AND p.expires > now())
  THEN state := 'gone'; RETURN; END IF;
  IF claim_turn.account IS NOT NULL THEN
    SELECT c.running, c.places INTO claim_turn.running, claim_turn.places
    FROM huddle.count_account(claim_turn.account, claim_turn.process, claim_turn.at_once) c;
    IF running >= places THEN
      UPDATE huddle.turn t SET waits_for = claim_turn.account, waits_running = running, waits_at_once = places
      WHERE t.number = claim_turn.turn AND t.state = 'asked';
      state := 'full'; RETURN;
    END IF;
  END IF;
  UPDATE huddle.turn t SET state = 'running', process = claim_turn.process, claimed = now(),
    account = claim_turn.account, waits_for = NULL, waits_running = NULL, waits_at_once = NULL
  WHERE t.number = claim_turn.turn AND t.worker_role = session_user AND t.state = 'asked';
  state := CASE WHEN FOUND THEN 'running' ELSE 'gone' END;
END $$;

-- Locks the account, so that two claims never count at the same time. Turns of those who are gone do not count.
CREATE FUNCTION huddle.count_account(account text, process uuid, at_once integer, OUT running integer, OUT places integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO huddle.account (name, at_once) VALUES (count_account.account, count_account.at_once)
  ON CONFLICT (name) DO NOTHING;
  PERFORM FROM huddle.account a WHERE a.name = count_account.account FOR UPDATE;
  DELETE FROM huddle.account_limit l WHERE l.account = count_account.account AND NOT EXISTS (
    SELECT FROM huddle.process p WHERE p.id = l.process AND p.expires > now());
  INSERT INTO huddle.account_limit (account, process, at_once)
  VALUES (count_account.account, count_account.process, count_account.at_once)
  ON CONFLICT (account, process) DO UPDATE SET at_once = excluded.at_once
  WHERE account_limit.at_once <> excluded.at_once;
  SELECT min(l.at_once) INTO places FROM huddle.account_limit l WHERE l.account = count_account.account;
  UPDATE huddle.account a SET at_once = places WHERE a.name = count_account.account AND a.at_once <> places;
  SELECT count(*) INTO running FROM huddle.turn t JOIN huddle.process p ON p.id = t.process
  WHERE t.account = count_account.account AND t.state = 'running' AND p.expires > now();
END $$;

-- Gives the state of the turn afterwards. Reports of one that does not run any more are not written.
CREATE FUNCTION huddle.report_turn(turn bigint, process uuid, first integer, bodies text[], is_end boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  found_row huddle.turn;
  last integer := report_turn.first + cardinality(report_turn.bodies) - 1;
  size bigint := (SELECT sum(octet_length(body)) FROM unnest(report_turn.bodies) body);
BEGIN
  PERFORM huddle.require_process(report_turn.process);
  SELECT t.* INTO found_row FROM huddle.turn t WHERE t.number = report_turn.turn FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'gone'; END IF;
  IF found_row.process IS DISTINCT FROM report_turn.process OR found_row.worker_role <> session_user THEN
    RAISE EXCEPTION 'another process runs it' USING ERRCODE = 'HU010';
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
CREATE FUNCTION huddle.withdraw_turn(conversation text, process uuid, turn bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held bigint := huddle.require_holder(withdraw_turn.conversation, withdraw_turn.process);
BEGIN
  UPDATE huddle.turn t SET state = 'withdrawn'
  WHERE t.number = withdraw_turn.turn AND t.conversation = held AND t.state IN ('asked', 'running');
  RETURN (SELECT t.state FROM huddle.turn t WHERE t.number = withdraw_turn.turn AND t.conversation = held);
END $$;

-- Only of a worker that is gone by the clock of the database.
CREATE FUNCTION huddle.lose_turn(conversation text, process uuid, turn bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held bigint := huddle.require_holder(lose_turn.conversation, lose_turn.process);
BEGIN
  UPDATE huddle.turn t SET state = 'lost'
  WHERE t.number = lose_turn.turn AND t.conversation = held AND t.state = 'running'
    AND NOT EXISTS (SELECT FROM huddle.process p WHERE p.id = t.process AND p.expires > now());
  RETURN (SELECT t.state FROM huddle.turn t WHERE t.number = lose_turn.turn AND t.conversation = held);
END $$;

-- Takes the reports of a turn up to a number, once, in the transaction of the events that follow from them. The end of a
-- turn takes its last report; one that was lost or withdrawn has none, and its end takes the number after the last. With
-- its end the turn is gone.
CREATE FUNCTION huddle.take_reports(conversation bigint, turn text, up_to integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  found_row huddle.turn;
  ending integer;
BEGIN
  SELECT t.* INTO found_row FROM huddle.turn t
  WHERE t.conversation = take_reports.conversation AND t.id = take_reports.turn FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such turn' USING ERRCODE = 'HU010'; END IF;
  ending := found_row.reported + CASE WHEN found_row.state IN ('lost', 'withdrawn') THEN 1 ELSE 0 END;
  IF take_reports.up_to IS NULL OR take_reports.up_to <= found_row.taken OR take_reports.up_to > ending THEN
    RAISE EXCEPTION 'taken up to %, reported up to %', found_row.taken, found_row.reported USING ERRCODE = 'HU010';
  END IF;
  IF take_reports.up_to = ending AND found_row.state NOT IN ('asked', 'running') THEN
    DELETE FROM huddle.turn t WHERE t.number = found_row.number;
  ELSE
    UPDATE huddle.turn t SET taken = take_reports.up_to WHERE t.number = found_row.number;
  END IF;
END $$;
`;
