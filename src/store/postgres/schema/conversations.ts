/** Conversations, their events and checkpoints, and from where each role opened them. */
export const CONVERSATIONS = `
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
`;
