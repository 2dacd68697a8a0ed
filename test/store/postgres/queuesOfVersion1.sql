-- The queues that a store of version 1 had, in a schema of their own, with those of the worker gpu_box.
CREATE SCHEMA IF NOT EXISTS huddle_jobs;
SET LOCAL lock_timeout = 30000;
    SET LOCAL idle_in_transaction_session_timeout = 30000;
    SELECT pg_advisory_xact_lock(('x' || encode(sha224((current_database() || '.pgboss.huddle_jobs')::bytea), 'hex'))::bit(64)::bigint);
CREATE SCHEMA IF NOT EXISTS huddle_jobs;

    CREATE TYPE huddle_jobs.job_state AS ENUM (
      'created',
      'retry',
      'active',
      'completed',
      'cancelled',
      'failed'
    )
  ;

    CREATE TABLE huddle_jobs.version (
      version int primary key,
      cron_on timestamp with time zone,
      bam_on timestamp with time zone,
      flow_on timestamp with time zone,
      reindex_on timestamp with time zone,
      monitor_backoff_on timestamp with time zone
    )
  ;

    CREATE TABLE huddle_jobs.queue (
      name text NOT NULL,
      policy text NOT NULL,
      retry_limit int NOT NULL,
      retry_delay int NOT NULL,
      retry_backoff bool NOT NULL,
      retry_delay_max int,
      expire_seconds int NOT NULL,
      retention_seconds int NOT NULL,
      deletion_seconds int NOT NULL,
      dead_letter text REFERENCES huddle_jobs.queue (name) CHECK (dead_letter IS DISTINCT FROM name),
      partition bool NOT NULL,
      table_name text NOT NULL,
      deferred_count int NOT NULL default 0,
      queued_count int NOT NULL default 0,
      ready_count int NOT NULL default 0,
      warning_queued int NOT NULL default 0,
      active_count int NOT NULL default 0,
      failed_count int NOT NULL default 0,
      total_count int NOT NULL default 0,
      ready_history int[] NOT NULL default '{}',
      heartbeat_seconds int,
      notify bool NOT NULL DEFAULT false,
      singletons_active text[],
      -- Two stamps, not one. monitor_claim_on is the interval claim that decides which instance
      -- runs a monitor pass; monitor_on is when this queue's counts were actually written, and is
      -- stamped only by the aggregate that wrote them (see cacheQueueStats). Splitting them is what
      -- lets a pass be claimed and then skip the aggregate — because the vacuum backoff is in force,
      -- or because another instance holds the stats try-lock — without capturedOn claiming a
      -- freshness the counts do not have.
      monitor_claim_on timestamp with time zone,
      monitor_on timestamp with time zone,
      maintain_on timestamp with time zone,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      PRIMARY KEY (name)
    )
  ;

    CREATE TABLE huddle_jobs.schedule (
      name text REFERENCES huddle_jobs.queue ON DELETE CASCADE,
      key text not null DEFAULT '',
      cron text not null,
      timezone text,
      data jsonb,
      options jsonb,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      PRIMARY KEY (name, key)
    )
  ;

    CREATE TABLE huddle_jobs.subscription (
      event text not null,
      name text not null REFERENCES huddle_jobs.queue ON DELETE CASCADE,
      created_on timestamp with time zone not null default now(),
      updated_on timestamp with time zone not null default now(),
      PRIMARY KEY(event, name)
    )
  ;

    CREATE TABLE huddle_jobs.bam (
      id uuid PRIMARY KEY default gen_random_uuid(),
      name text NOT NULL,
      version int NOT NULL,
      status text NOT NULL DEFAULT 'pending',
      queue text,
      table_name text NOT NULL,
      command text NOT NULL,
      error text,
      created_on timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
      started_on timestamp with time zone,
      completed_on timestamp with time zone
    )
  ;

    CREATE FUNCTION huddle_jobs.job_table_format(command text, table_name text)
    RETURNS text AS
    $$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $$
    LANGUAGE sql IMMUTABLE;
  ;

    CREATE FUNCTION huddle_jobs.job_table_run(command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
    RETURNS VOID AS
    $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM huddle_jobs.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        EXECUTE huddle_jobs.job_table_format(command, tbl_name);
        RETURN;
      END IF;

      EXECUTE huddle_jobs.job_table_format(command, 'job_common');

      FOR tbl IN SELECT table_name FROM huddle_jobs.queue WHERE partition = true
      LOOP
        EXECUTE huddle_jobs.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$
    LANGUAGE plpgsql;
  ;

    CREATE FUNCTION huddle_jobs.job_table_run_async(command_name text, version int, command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
    RETURNS VOID AS
    $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM huddle_jobs.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        INSERT INTO huddle_jobs.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          huddle_jobs.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;

      INSERT INTO huddle_jobs.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        huddle_jobs.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        huddle_jobs.job_table_format(command, queue.table_name)
      FROM huddle_jobs.queue
      WHERE partition = true;
    END;
    $$
    LANGUAGE plpgsql;
  ;

    CREATE TABLE huddle_jobs.job (
      id uuid not null default gen_random_uuid(),
      name text not null,
      priority integer not null default(0),
      data jsonb,
      state huddle_jobs.job_state not null default 'created',
      retry_limit integer not null default 2,
      retry_count integer not null default 0,
      retry_delay integer not null default 0,
      retry_backoff boolean not null default false,
      retry_delay_max integer,
      expire_seconds int not null default 900,
      deletion_seconds int not null default 604800,
      singleton_key text,
      singleton_on timestamp without time zone,
      group_id text,
      group_tier text,
      start_after timestamp with time zone not null default now(),
      created_on timestamp with time zone not null default now(),
      started_on timestamp with time zone,
      completed_on timestamp with time zone,
      keep_until timestamp with time zone NOT NULL default now() + interval '1209600',
      output jsonb,
      dead_letter text,
      policy text,
      heartbeat_on timestamp with time zone,
      heartbeat_seconds int,
      blocked boolean not null default false,
      blocking boolean not null default false,
      pending_dependencies int not null default 0,
      source_name text,
      source_id uuid,
      source_created_on timestamp with time zone,
      source_retry_count int
    ) PARTITION BY LIST (name)
  ;
ALTER TABLE huddle_jobs.job ADD PRIMARY KEY (name, id);

    CREATE TABLE huddle_jobs.job_common (LIKE huddle_jobs.job INCLUDING GENERATED INCLUDING DEFAULTS);

    SELECT huddle_jobs.job_table_run($cmd$ALTER TABLE huddle_jobs.job ADD PRIMARY KEY (name, id)$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$ALTER TABLE huddle_jobs.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES huddle_jobs.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$ALTER TABLE huddle_jobs.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES huddle_jobs.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE UNIQUE INDEX job_i1 ON huddle_jobs.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE UNIQUE INDEX job_i2 ON huddle_jobs.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE UNIQUE INDEX job_i3 ON huddle_jobs.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE UNIQUE INDEX job_i6 ON huddle_jobs.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE UNIQUE INDEX job_i8 ON huddle_jobs.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE INDEX job_i10 ON huddle_jobs.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$ALTER TABLE huddle_jobs.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE UNIQUE INDEX job_i4 ON huddle_jobs.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE INDEX job_i11 ON huddle_jobs.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE INDEX job_i7 ON huddle_jobs.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, 'job_common');
    SELECT huddle_jobs.job_table_run($cmd$CREATE INDEX job_i9 ON huddle_jobs.job (name, id) WHERE blocking AND state = 'completed'$cmd$, 'job_common');

    ALTER TABLE huddle_jobs.job ATTACH PARTITION huddle_jobs.job_common DEFAULT;
  ;

    CREATE TABLE huddle_jobs.warning (
      id uuid PRIMARY KEY default gen_random_uuid(),
      type text NOT NULL,
      message text NOT NULL,
      data jsonb,
      created_on timestamp with time zone NOT NULL DEFAULT now()
    )
  ;
CREATE INDEX warning_i1 ON huddle_jobs.warning (created_on DESC);

    CREATE TABLE huddle_jobs.queue_stats (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      name text NOT NULL,
      deferred_count int NOT NULL DEFAULT 0,
      queued_count   int NOT NULL DEFAULT 0,
      ready_count    int NOT NULL DEFAULT 0,
      active_count   int NOT NULL DEFAULT 0,
      failed_count   int NOT NULL DEFAULT 0,
      total_count    int NOT NULL DEFAULT 0,
      captured_on timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (id, captured_on)
    ) PARTITION BY RANGE (captured_on)
  ;
CREATE INDEX queue_stats_i1 ON huddle_jobs.queue_stats (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);

    DO $$
    DECLARE
      d date;
      i int;
      part_name text;
    BEGIN
      FOR i IN 0..1 LOOP
        d := (now() AT TIME ZONE 'UTC')::date + i;
        part_name := 'queue_stats_' || to_char(d, 'YYYYMMDD');
        IF NOT EXISTS (
          SELECT 1 FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = 'huddle_jobs' AND c.relname = part_name
        ) THEN
          EXECUTE format(
            'CREATE TABLE huddle_jobs.%I PARTITION OF huddle_jobs.queue_stats FOR VALUES FROM (%L) TO (%L)',
            part_name,
            to_char(d, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(d + 1, 'YYYY-MM-DD') || ' 00:00:00+00'
          );
        END IF;
      END LOOP;
    END;
    $$
  ;

    CREATE TABLE huddle_jobs.job_dependency (
      child_name text NOT NULL,
      child_id uuid NOT NULL,
      parent_name text NOT NULL,
      parent_id uuid NOT NULL,
      PRIMARY KEY (child_name, child_id, parent_name, parent_id)
    )
  ;
CREATE INDEX IF NOT EXISTS job_dep_parent_idx ON huddle_jobs.job_dependency (parent_name, parent_id);

    CREATE FUNCTION huddle_jobs.create_queue(queue_name text, options jsonb)
    RETURNS VOID AS
    $$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO huddle_jobs.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false)
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE huddle_jobs.%I (LIKE huddle_jobs.job INCLUDING DEFAULTS)', tablename);

      EXECUTE huddle_jobs.job_table_format($cmd$ALTER TABLE huddle_jobs.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE huddle_jobs.job_table_format($cmd$ALTER TABLE huddle_jobs.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES huddle_jobs.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE huddle_jobs.job_table_format($cmd$ALTER TABLE huddle_jobs.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES huddle_jobs.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE huddle_jobs.job_table_format($cmd$CREATE INDEX job_i11 ON huddle_jobs.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE huddle_jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON huddle_jobs.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE huddle_jobs.job_table_format($cmd$CREATE INDEX job_i7 ON huddle_jobs.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE huddle_jobs.job_table_format($cmd$CREATE INDEX job_i9 ON huddle_jobs.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE huddle_jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON huddle_jobs.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE huddle_jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON huddle_jobs.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE huddle_jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON huddle_jobs.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE huddle_jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON huddle_jobs.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE huddle_jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON huddle_jobs.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE huddle_jobs.job_table_format($cmd$CREATE INDEX job_i10 ON huddle_jobs.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE huddle_jobs.job_table_format($cmd$ALTER TABLE huddle_jobs.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE huddle_jobs.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE huddle_jobs.job ATTACH PARTITION huddle_jobs.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $$
    LANGUAGE plpgsql;
  ;

    CREATE FUNCTION huddle_jobs.delete_queue(queue_name text)
    RETURNS VOID AS
    $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN

      SELECT table_name, partition
      FROM huddle_jobs.queue
      WHERE name = queue_name
      INTO v_table, v_partition;

      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS huddle_jobs.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM huddle_jobs.%I WHERE name = %L', v_table, queue_name);
      END IF;

      DELETE FROM huddle_jobs.queue WHERE name = queue_name;
    END;
    $$
    LANGUAGE plpgsql;
  ;
INSERT INTO huddle_jobs.version(version) VALUES ('40');
ALTER TABLE huddle_jobs.job ENABLE ROW LEVEL SECURITY;
ALTER TABLE huddle_jobs.job_common ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON huddle_jobs.job_common FOR SELECT USING (true);
CREATE POLICY ask ON huddle_jobs.job_common FOR INSERT WITH CHECK (state = 'created' OR name = 'turns/' || session_user OR name = 'fleet/' || session_user);
CREATE POLICY take ON huddle_jobs.job_common FOR UPDATE USING (name = 'turns/' || session_user OR name = 'fleet/' || session_user) WITH CHECK (name = 'turns/' || session_user OR name = 'fleet/' || session_user);
CREATE POLICY remove ON huddle_jobs.job_common FOR DELETE USING (name = 'turns/' || session_user OR name = 'fleet/' || session_user);
ALTER TABLE huddle_jobs.queue ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON huddle_jobs.queue FOR SELECT USING (true);
CREATE POLICY tend ON huddle_jobs.queue FOR UPDATE USING (name = 'turns/' || session_user OR name = 'fleet/' || session_user) WITH CHECK (name = 'turns/' || session_user OR name = 'fleet/' || session_user);
GRANT USAGE ON SCHEMA huddle_jobs TO kim, gpu_box;
GRANT SELECT, INSERT ON huddle_jobs.job_common TO kim, gpu_box;
SELECT huddle_jobs.create_queue('turns/gpu_box', '{"policy":"standard","retryLimit":1000000,"retryDelay":1,"heartbeatSeconds":20,"expireInSeconds":86400,"retentionSeconds":86400,"deleteAfterSeconds":3600}');
SELECT huddle_jobs.create_queue('fleet/gpu_box', '{"policy":"standard","retryLimit":1000000,"retryDelay":1,"heartbeatSeconds":20,"expireInSeconds":86400,"retentionSeconds":86400,"deleteAfterSeconds":3600}');
