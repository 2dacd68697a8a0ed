CREATE SCHEMA huddle;
REVOKE ALL ON SCHEMA huddle FROM PUBLIC;

-- The processes that are there. A function that members may call is SECURITY DEFINER; a helper is not, and nobody but the
-- owner may execute it. Names are written in full, and the role is always `session_user`.
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

-- Conversations, their events and checkpoints, and from where each role opened them.
CREATE SEQUENCE huddle.opening;

CREATE TABLE huddle.conversation (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9-]{1,64}$'),
  created_by text NOT NULL,
  created timestamptz NOT NULL DEFAULT pg_catalog.now(),
  -- Random: a channel that strangers cannot guess.
  channel text NOT NULL DEFAULT 'huddle_' || pg_catalog.replace(pg_catalog.gen_random_uuid()::text, '-', ''),
  last_seq integer NOT NULL DEFAULT 0,
  restored_seq integer NOT NULL DEFAULT 0,
  tally text NOT NULL CHECK (pg_catalog.octet_length(tally) <= 4194304),
  fence bigint NOT NULL DEFAULT 0,
  holder uuid REFERENCES huddle.process,
  held_since timestamptz,
  opened bigint NOT NULL DEFAULT pg_catalog.nextval('huddle.opening')
) WITH (fillfactor = 70);
CREATE INDEX conversation_opened ON huddle.conversation (opened);
CREATE INDEX conversation_holder ON huddle.conversation (holder) WHERE holder IS NOT NULL;
-- Ids are also found by their last part.
CREATE INDEX conversation_di ON huddle.conversation ((pg_catalog.reverse(id)) COLLATE "C");

-- Text, not JSON of the server: that refuses NUL.
CREATE TABLE huddle.event (
  conversation bigint NOT NULL,
  seq integer NOT NULL,
  body text NOT NULL CHECK (pg_catalog.octet_length(body) <= 67108864),
  written_by text NOT NULL,
  PRIMARY KEY (conversation, seq)
) PARTITION BY RANGE (conversation);

CREATE TABLE huddle.checkpoint (
  conversation bigint NOT NULL REFERENCES huddle.conversation ON DELETE CASCADE,
  role text NOT NULL,
  seq integer NOT NULL,
  body text NOT NULL CHECK (pg_catalog.octet_length(body) <= 67108864),
  PRIMARY KEY (conversation, role)
);

-- The place is a hash of host and folder, never their names; empty where no folder was named.
CREATE TABLE huddle.visit (
  conversation bigint NOT NULL REFERENCES huddle.conversation ON DELETE CASCADE,
  role text NOT NULL,
  place text NOT NULL CHECK (place ~ '^([0-9a-f]{64})?$'),
  opened bigint NOT NULL DEFAULT pg_catalog.nextval('huddle.opening'),
  PRIMARY KEY (conversation, role, place)
);
CREATE INDEX visit_place ON huddle.visit (role, place, opened);

-- A partition for every million conversations: a day of a large store, dropped as a whole.
CREATE FUNCTION huddle.make_partition(conversation bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part bigint := make_partition.conversation / 1000000;
  name text := 'event_' || part;
BEGIN
  IF to_regclass('huddle.' || name) IS NOT NULL THEN RETURN; END IF;
  -- A row that members cannot lock: an advisory lock could be anybody's.
  PERFORM FROM huddle.store s FOR NO KEY UPDATE;
  IF to_regclass('huddle.' || name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE huddle.%I (LIKE huddle.event INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE huddle.event ATTACH PARTITION huddle.%I FOR VALUES FROM (%s) TO (%s)',
    name, part * 1000000, (part + 1) * 1000000);
END $$;
SELECT huddle.make_partition(0);

CREATE FUNCTION huddle.note_visit(conversation bigint, place text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO huddle.visit (conversation, role, place) VALUES (conversation, session_user, coalesce(place, ''))
  ON CONFLICT (conversation, role, place) DO UPDATE SET opened = excluded.opened
$$;

CREATE FUNCTION huddle.create_conversation(
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
  -- Half a partition ahead, so that nobody waits for one.
  PERFORM huddle.make_partition(create_conversation.number);
  PERFORM huddle.make_partition(create_conversation.number + 500000);
  PERFORM huddle.note_visit(create_conversation.number, create_conversation.place);
END $$;

-- The row of a conversation that is to be changed, locked until the end of the transaction. A row whose holder lives is locked only
-- for the holder's own role: nobody else can make the holder wait.
CREATE FUNCTION huddle.lock_conversation(id text) RETURNS huddle.conversation LANGUAGE plpgsql AS $$
DECLARE
  found_row huddle.conversation;
  held_by huddle.process;
BEGIN
  SELECT c.* INTO found_row FROM huddle.conversation c WHERE c.id = lock_conversation.id;
  SELECT p.* INTO held_by FROM huddle.process p WHERE p.id = found_row.holder;
  IF held_by.expires > now() AND held_by.role <> session_user THEN
    PERFORM huddle.refuse_held(held_by, found_row.held_since);
  END IF;
  SELECT c.* INTO found_row FROM huddle.conversation c WHERE c.id = lock_conversation.id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such conversation' USING ERRCODE = 'HU001'; END IF;
  RETURN found_row;
END $$;

CREATE FUNCTION huddle.refuse_held(holder huddle.process, since timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'another process holds it' USING ERRCODE = 'HU003', DETAIL = json_build_object(
    'process', holder.id, 'pid', holder.pid, 'host', holder.host, 'role', holder.role,
    'since', floor(extract(epoch FROM since) * 1000))::text;
END $$;

-- Opens for writing. A holder that is gone is replaced; a living one only by its own role, on request.
CREATE FUNCTION huddle.hold_conversation(
  id text, process uuid, take_over boolean, in_place boolean, place text,
  OUT number bigint, OUT fence bigint, OUT channel text, OUT last_seq integer, OUT restored_seq integer, OUT tally text,
  OUT before_pid integer, OUT before_host text, OUT before_role text, OUT before_since timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  found_row huddle.conversation;
  held_by huddle.process;
BEGIN
  PERFORM huddle.require_process(hold_conversation.process);
  found_row := huddle.lock_conversation(hold_conversation.id);
  IF found_row.holder IS NOT NULL THEN
    SELECT p.* INTO held_by FROM huddle.process p WHERE p.id = found_row.holder;
    IF held_by.expires > now() AND NOT (hold_conversation.take_over AND held_by.role = session_user) THEN
      PERFORM huddle.refuse_held(held_by, found_row.held_since);
    END IF;
    before_pid := held_by.pid; before_host := held_by.host; before_role := held_by.role;
    before_since := found_row.held_since;
  END IF;
  UPDATE huddle.conversation c
  SET fence = c.fence + 1, holder = hold_conversation.process, held_since = now(),
      opened = CASE WHEN hold_conversation.in_place THEN c.opened ELSE nextval('huddle.opening') END
  WHERE c.number = found_row.number
  RETURNING c.fence INTO hold_conversation.fence;
  IF NOT hold_conversation.in_place AND (hold_conversation.place IS NOT NULL OR NOT EXISTS (
    SELECT FROM huddle.visit v WHERE v.conversation = found_row.number AND v.role = session_user))
  THEN PERFORM huddle.note_visit(found_row.number, hold_conversation.place); END IF;
  number := found_row.number; channel := found_row.channel; last_seq := found_row.last_seq;
  restored_seq := found_row.restored_seq; tally := found_row.tally;
END $$;

CREATE FUNCTION huddle.release_conversation(conversation bigint, process uuid, fence bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM huddle.require_process(release_conversation.process);
  UPDATE huddle.conversation c SET holder = NULL
  WHERE c.number = release_conversation.conversation AND c.fence = release_conversation.fence
    AND c.holder = release_conversation.process;
END $$;

-- Only the newest fence, of a process of this role. Gives where the log ends; the row is locked.
CREATE FUNCTION huddle.require_fence(conversation bigint, process uuid, fence bigint) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  ends integer;
BEGIN
  PERFORM huddle.require_process(require_fence.process);
  SELECT c.last_seq INTO ends FROM huddle.conversation c
  WHERE c.number = require_fence.conversation AND c.fence = require_fence.fence AND c.holder = require_fence.process
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'another process holds it now' USING ERRCODE = 'HU002'; END IF;
  RETURN ends;
END $$;

-- Writes a batch in whole, once: one whose answer got lost may be sent again. A body is a line: JSON has no line breaks, and an
-- array would have to be quoted.
CREATE FUNCTION huddle.append(
  conversation bigint, process uuid, fence bigint, first_seq integer, bodies text, tally text,
  taking_wish bigint, taking_turn text, taking_upto integer)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  events text[] := string_to_array(append.bodies, chr(10));
  last integer := append.first_seq + cardinality(events) - 1;
BEGIN
  -- One statement checks everything and locks the row; why it found none is asked only then.
  UPDATE huddle.conversation c SET last_seq = last, tally = append.tally
  FROM huddle.process p
  WHERE c.number = append.conversation AND c.fence = append.fence AND c.holder = append.process
    AND c.last_seq = append.first_seq - 1 AND last > c.last_seq
    AND p.id = append.process AND p.role = session_user;
  IF NOT FOUND THEN
    PERFORM huddle.require_kept(append.conversation, append.process, append.fence, append.first_seq, events);
    RETURN;
  END IF;
  INSERT INTO huddle.event (conversation, seq, body, written_by)
  SELECT append.conversation, append.first_seq + place::integer - 1, body, session_user
  FROM unnest(events) WITH ORDINALITY AS given (body, place);
  IF append.taking_wish IS NOT NULL THEN
    PERFORM huddle.take_wish(append.conversation, append.taking_wish, append.first_seq, events);
  END IF;
  IF append.taking_turn IS NOT NULL THEN
    PERFORM huddle.take_reports(append.conversation, append.taking_turn, append.taking_upto);
  END IF;
END $$;

-- Refuses a batch that does not come next, unless the same one is there already.
CREATE FUNCTION huddle.require_kept(conversation bigint, process uuid, fence bigint, first_seq integer, bodies text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last integer := require_kept.first_seq + cardinality(require_kept.bodies) - 1;
  ends integer := huddle.require_fence(require_kept.conversation, require_kept.process, require_kept.fence);
BEGIN
  IF require_kept.first_seq <= last AND last <= ends AND require_kept.bodies = (
    SELECT array_agg(e.body ORDER BY e.seq) FROM huddle.event e
    WHERE e.conversation = require_kept.conversation AND e.seq BETWEEN require_kept.first_seq AND last)
  THEN RETURN; END IF;
  RAISE EXCEPTION 'the log ends with event %', ends USING ERRCODE = 'HU008';
END $$;

-- The role that made a conversation, or the owner of the store, who is current_user in the functions of members.
CREATE FUNCTION huddle.require_creator(found_row huddle.conversation) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF found_row.created_by <> session_user AND NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
    RAISE EXCEPTION 'made by %', found_row.created_by USING ERRCODE = 'HU005', DETAIL = found_row.created_by;
  END IF;
END $$;

-- The same for events from elsewhere, which have their numbers and times: only in a conversation of this role in which nothing
-- was appended yet, because nobody has to prove who spoke in them.
CREATE FUNCTION huddle.restore_events(
  conversation bigint, process uuid, fence bigint, first_seq integer, bodies text, tally text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_row huddle.conversation;
BEGIN
  PERFORM huddle.require_fence(restore_events.conversation, restore_events.process, restore_events.fence);
  SELECT c.* INTO found_row FROM huddle.conversation c WHERE c.number = restore_events.conversation;
  PERFORM huddle.require_creator(found_row);
  IF found_row.restored_seq <> found_row.last_seq THEN
    RAISE EXCEPTION 'something was said in it already' USING ERRCODE = 'HU008';
  END IF;
  PERFORM huddle.append(restore_events.conversation, restore_events.process, restore_events.fence,
    restore_events.first_seq, restore_events.bodies, restore_events.tally, NULL, NULL, NULL);
  UPDATE huddle.conversation c SET restored_seq = c.last_seq WHERE c.number = restore_events.conversation;
END $$;

CREATE FUNCTION huddle.save_checkpoint(conversation bigint, process uuid, fence bigint, seq integer, body text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM huddle.require_fence(save_checkpoint.conversation, save_checkpoint.process, save_checkpoint.fence);
  INSERT INTO huddle.checkpoint (conversation, role, seq, body)
  VALUES (save_checkpoint.conversation, session_user, save_checkpoint.seq, save_checkpoint.body)
  ON CONFLICT (conversation, role) DO UPDATE SET seq = excluded.seq, body = excluded.body;
END $$;

CREATE FUNCTION huddle.delete_conversation(id text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_row huddle.conversation := huddle.lock_conversation(delete_conversation.id);
  held_by huddle.process;
BEGIN
  SELECT p.* INTO held_by FROM huddle.process p WHERE p.id = found_row.holder;
  IF held_by.expires > now() THEN PERFORM huddle.refuse_held(held_by, found_row.held_since); END IF;
  PERFORM huddle.require_creator(found_row);
  DELETE FROM huddle.event e WHERE e.conversation = found_row.number;
  DELETE FROM huddle.conversation c WHERE c.number = found_row.number;
END $$;

-- For those who follow: opening for writing notes its visit itself.
CREATE FUNCTION huddle.visit_conversation(id text, place text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  visited bigint;
BEGIN
  SELECT c.number INTO visited FROM huddle.conversation c WHERE c.id = visit_conversation.id FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such conversation' USING ERRCODE = 'HU001'; END IF;
  PERFORM huddle.note_visit(visited, visit_conversation.place);
END $$;

-- Wishes, which followers of a conversation ask of the process that holds it, and the processes that follow. Members may lock no
-- row that the holder needs: a wish is only inserted by its role, and only the holder changes it.
CREATE TABLE huddle.wish (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation bigint NOT NULL REFERENCES huddle.conversation ON DELETE CASCADE,
  role text NOT NULL,
  process uuid NOT NULL,
  sitting uuid NOT NULL,
  -- Made by the role that asks, so that a question whose answer got lost can be asked again.
  key uuid NOT NULL,
  kind text NOT NULL CHECK (kind ~ '^[a-z-]{1,32}$'),
  body text NOT NULL CHECK (pg_catalog.octet_length(body) <= 4194304),
  asked timestamptz NOT NULL DEFAULT pg_catalog.now(),
  is_settled boolean NOT NULL DEFAULT false,
  -- The message it became, or the first event that follows from it; null when nothing does.
  seq integer,
  refusal text CHECK (pg_catalog.octet_length(refusal) <= 65536),
  UNIQUE (role, key)
);
CREATE INDEX wish_open ON huddle.wish (conversation, number) WHERE NOT is_settled;
CREATE INDEX wish_seq ON huddle.wish (conversation, seq) WHERE seq IS NOT NULL;

-- The processes that follow a conversation; they count as long as they live, and so do their wishes of this sitting.
CREATE TABLE huddle.attendance (
  conversation bigint NOT NULL REFERENCES huddle.conversation ON DELETE CASCADE,
  process uuid NOT NULL REFERENCES huddle.process ON DELETE CASCADE,
  sitting uuid NOT NULL,
  PRIMARY KEY (conversation, process)
);
CREATE INDEX attendance_process ON huddle.attendance (process);

CREATE FUNCTION huddle.tell_company(conversation bigint, payload text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_catalog.pg_notify(c.channel, tell_company.payload)
  FROM huddle.conversation c WHERE c.number = tell_company.conversation
$$;

-- Who comes again takes back what was asked before, and what was on its way.
CREATE FUNCTION huddle.attend(conversation bigint, process uuid, sitting uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM huddle.require_process(attend.process);
  INSERT INTO huddle.attendance (conversation, process, sitting)
  VALUES (attend.conversation, attend.process, attend.sitting)
  ON CONFLICT (conversation, process) DO UPDATE SET sitting = excluded.sitting;
  PERFORM huddle.tell_company(attend.conversation, 'company');
END $$;

-- What the process still asked for is not done any more.
CREATE FUNCTION huddle.stay_away(conversation bigint, process uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM huddle.require_process(stay_away.process);
  DELETE FROM huddle.attendance a
  WHERE a.conversation = stay_away.conversation AND a.process = stay_away.process;
  PERFORM huddle.tell_company(stay_away.conversation, 'company');
END $$;

CREATE FUNCTION huddle.ask_wish(conversation bigint, process uuid, sitting uuid, key uuid, kind text, body text)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  asked_number bigint;
BEGIN
  PERFORM huddle.require_process(ask_wish.process);
  INSERT INTO huddle.wish (conversation, role, process, sitting, key, kind, body)
  VALUES (ask_wish.conversation, session_user, ask_wish.process, ask_wish.sitting, ask_wish.key, ask_wish.kind, ask_wish.body)
  ON CONFLICT (role, key) DO NOTHING
  RETURNING number INTO asked_number;
  IF NOT FOUND THEN
    SELECT w.number INTO asked_number FROM huddle.wish w WHERE w.role = session_user AND w.key = ask_wish.key;
  END IF;
  PERFORM huddle.tell_company(ask_wish.conversation, 'wish');
  RETURN asked_number;
END $$;

-- Wishes that are to be fulfilled: of processes that still follow, since they came. In the order in which they were asked.
CREATE VIEW huddle.open_wish AS
  SELECT w.conversation, w.number, w.role, w.kind, w.body, w.asked
  FROM huddle.wish w
  JOIN huddle.attendance a ON a.conversation = w.conversation AND a.process = w.process AND a.sitting = w.sitting
  JOIN huddle.process p ON p.id = w.process AND p.expires > pg_catalog.now()
  WHERE NOT w.is_settled;

-- Takes a wish, once, in the transaction of the events that follow from it. The message it became is the first of them.
CREATE FUNCTION huddle.take_wish(conversation bigint, wish bigint, first_seq integer, bodies text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE huddle.wish w SET is_settled = true, seq = take_wish.first_seq - 1 + coalesce((
    SELECT min(place)::integer FROM unnest(take_wish.bodies) WITH ORDINALITY AS given (body, place)
    WHERE w.kind = 'say' AND starts_with(body, '{"type":"message-added"')), 1)
  WHERE w.number = take_wish.wish AND w.conversation = take_wish.conversation AND NOT w.is_settled;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such wish' USING ERRCODE = 'HU009'; END IF;
END $$;

-- Settles a wish from which no event follows, or that is refused. For the holder.
CREATE FUNCTION huddle.settle_wish(conversation bigint, process uuid, wish bigint, refusal text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM huddle.require_process(settle_wish.process);
  IF NOT EXISTS (SELECT FROM huddle.conversation c
    WHERE c.number = settle_wish.conversation AND c.holder = settle_wish.process)
  THEN RAISE EXCEPTION 'another process holds it now' USING ERRCODE = 'HU002'; END IF;
  UPDATE huddle.wish w SET is_settled = true, refusal = settle_wish.refusal
  WHERE w.number = settle_wish.wish AND w.conversation = settle_wish.conversation AND NOT w.is_settled;
  PERFORM huddle.tell_company(settle_wish.conversation, 'settled');
END $$;

-- Turns that workers run, and what they report of them. A turn goes asked → running → ended, or from either of the first
-- two to lost or withdrawn, each step once: every step is an update that names the state it leaves.
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

-- Conversations that a worker is asked to hold, from the request to the end. Deleted a day after that.
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

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA huddle FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA huddle FROM PUBLIC;
INSERT INTO huddle.store (version) VALUES (1);
