/**
 * Wishes, which followers of a conversation ask of the process that holds it, and the processes that follow. Members may lock no
 * row that the holder needs: a wish is only inserted by its role, and only the holder changes it.
 */
export const WISHES = `
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
`;
