table alert_watches
  kind text collate C not null
  subject text collate C not null
  watched_until timestamp with time zone not null
  constraint alert_watches_pk PRIMARY KEY (kind, subject)
  with fillfactor=70

table alerts
  id bigint not null generated always as identity
  kind text collate C not null
  subject text collate C not null
  fact text collate C
  execution_id bigint
  runbook text
  detail json not null
  opened_at timestamp with time zone not null
  closed_at timestamp with time zone
  announce_at timestamp with time zone
  constraint alerts_kind_check CHECK (kind = ANY (ARRAY['failure'::text, 'missed-period'::text, 'dead-letter-ratio'::text, 'backlog-age'::text]))
  constraint alerts_pk PRIMARY KEY (id)
  CREATE UNIQUE INDEX alerts_fact ON alerts USING btree (kind, fact) WHERE (fact IS NOT NULL)
  CREATE UNIQUE INDEX alerts_open ON alerts USING btree (kind, subject) WHERE (closed_at IS NULL)
  CREATE INDEX alerts_unannounced ON alerts USING btree (id) WHERE (announce_at IS NOT NULL)

alerts_id_seq
  sequence

table attempts
  execution_id bigint not null
  lease_token bigint not null
  attempt integer not null
  worker_id text
  started_at timestamp with time zone not null
  finished_at timestamp with time zone not null
  outcome text collate C not null
  error_class text
  error_code text
  error_message text
  error_stack text
  processed bigint
  failed bigint
  skipped bigint
  error_kind text collate C
  constraint attempts_error_kind_check CHECK (error_kind = ANY (ARRAY['transient'::text, 'throttled'::text, 'permanent'::text]))
  constraint attempts_outcome_check CHECK (outcome = ANY (ARRAY['succeeded'::text, 'completed_with_errors'::text, 'failed'::text, 'timed_out'::text, 'lost'::text, 'canceled'::text, 'interrupted'::text, 'deferred'::text]))
  constraint attempts_pk PRIMARY KEY (execution_id, lease_token)
  with autovacuum_vacuum_insert_scale_factor=0.05

table audit
  id bigint not null generated always as identity
  at timestamp with time zone not null
  action text collate C not null
  subject text collate C not null
  job_name text collate C
  execution_id bigint
  actor text
  reason text
  details json
  constraint audit_action_check CHECK (action = ANY (ARRAY['cancel'::text, 'replay'::text, 'replay-many'::text, 'acknowledge'::text, 'trigger'::text, 'pause'::text, 'resume'::text, 'pause-queue'::text, 'resume-queue'::text, 'backfill'::text, 'cancel-backfill'::text]))
  constraint audit_pk PRIMARY KEY (id)
  with autovacuum_vacuum_insert_scale_factor=0.05
  CREATE INDEX audit_execution ON audit USING btree (execution_id, id) WHERE (execution_id IS NOT NULL)
  CREATE INDEX audit_job ON audit USING btree (job_name, id) WHERE (job_name IS NOT NULL)

audit_id_seq
  sequence

table backfills
  id bigint not null generated always as identity
  job_name text collate C not null
  from_at timestamp with time zone not null
  to_at timestamp with time zone not null
  direction text collate C not null
  occurrences integer not null
  inserted integer not null
  existing integer not null
  pruned integer not null
  actor text
  reason text
  created_at timestamp with time zone not null
  canceled_at timestamp with time zone
  canceled_by text
  cancel_reason text
  constraint backfills_direction_check CHECK (direction = ANY (ARRAY['oldest-first'::text, 'newest-first'::text]))
  constraint backfills_order_check CHECK (from_at <= to_at)
  constraint backfills_pk PRIMARY KEY (id)
  CREATE INDEX backfills_browse ON backfills USING btree (job_name, id)

backfills_id_seq
  sequence

table checkpoints
  execution_id bigint not null
  items_name text collate C not null
  after_key json
  done boolean not null
  failures integer not null
  lease_token bigint not null
  updated_at timestamp with time zone not null
  frozen text collate C
  constraint checkpoints_frozen_check CHECK (frozen = ANY (ARRAY['storing'::text, 'stored'::text]))
  constraint checkpoints_pk PRIMARY KEY (execution_id, items_name)
  with fillfactor=70

table executions
  id bigint not null generated always as identity
  key text collate C not null
  job_name text collate C not null
  period text collate C
  interval_start timestamp with time zone
  interval_end timestamp with time zone
  scheduled_for timestamp with time zone not null
  queue text collate C not null
  priority smallint not null
  max_attempts integer not null
  concurrency_key text collate C
  payload jsonb
  trigger text collate C not null
  actor text
  created_at timestamp with time zone not null
  backfill_id bigint
  trace_parent text collate C
  constraint executions_interval_check CHECK ((interval_start IS NULL) = (interval_end IS NULL))
  constraint executions_pk PRIMARY KEY (id)
  constraint executions_trigger_check CHECK (trigger = ANY (ARRAY['schedule'::text, 'backfill'::text, 'trigger'::text, 'enqueue'::text]))
  with autovacuum_vacuum_insert_scale_factor=0.05
  CREATE INDEX executions_backfill ON executions USING btree (backfill_id, id) WHERE (backfill_id IS NOT NULL)
  CREATE INDEX executions_browse ON executions USING btree (job_name, scheduled_for, id)
  CREATE INDEX executions_scheduled ON executions USING brin (scheduled_for) WITH (autosummarize='on')

executions_id_seq
  sequence

table frozen_items
  execution_id bigint not null
  items_name text collate C not null
  position integer not null
  item_key text collate C not null
  is_number boolean not null
  constraint frozen_items_pk PRIMARY KEY (execution_id, items_name, "position")

table instances
  id text collate C not null
  roles text[] not null
  worker_id text
  version text not null
  definitions_digest text not null
  zone_data text
  started_at timestamp with time zone not null
  seen_at timestamp with time zone not null
  stopped_at timestamp with time zone
  constraint instances_pk PRIMARY KEY (id)
  with fillfactor=70

table items
  execution_id bigint not null
  items_name text collate C not null
  item_key text collate C not null
  lease_token bigint not null
  failed_at timestamp with time zone not null
  error_class text not null
  error_code text
  error_message text not null
  error_stack text
  error_fingerprint text not null
  is_number boolean not null default false
  constraint items_pk PRIMARY KEY (execution_id, items_name, item_key)

table jobs
  name text collate C not null
  overlap text collate C not null
  concurrency smallint not null
  retention jsonb not null default '{}'::jsonb
  handled_at timestamp with time zone
  unhandled_since timestamp with time zone
  lease_ms integer not null default 30000
  deadline_ms bigint not null default 86400000
  alert jsonb not null default '{}'::jsonb
  constraint jobs_concurrency_check CHECK (concurrency > 0)
  constraint jobs_overlap_check CHECK (overlap = ANY (ARRAY['queue'::text, 'queue-latest'::text, 'skip'::text, 'replace'::text, 'allow'::text]))
  constraint jobs_pk PRIMARY KEY (name)
  with fillfactor=70

kept_claim_f14b3001
  function

kept_claim_onwards_32f46df2
  function

kept_finish_succeeded_5ee94859
  function

kept_look_224a4abb
  function

table keys
  key_hash bytea not null
  execution_id bigint not null
  constraint keys_hash_check CHECK (octet_length(key_hash) = 16)
  constraint keys_pk PRIMARY KEY (key_hash)

lease_tokens
  sequence

table leases
  name text collate C not null
  lease_token bigint not null
  holder text not null
  acquired_at timestamp with time zone not null
  lease_until timestamp with time zone not null
  constraint leases_pk PRIMARY KEY (name)
  with fillfactor=70

table logs
  execution_id bigint not null
  lease_token bigint not null
  line_no integer not null
  logged_at timestamp with time zone not null
  level text collate C not null
  message text not null
  fields json
  constraint logs_level_check CHECK (level = ANY (ARRAY['debug'::text, 'info'::text, 'warn'::text, 'error'::text]))
  constraint logs_pk PRIMARY KEY (execution_id, lease_token, line_no)

table migrations
  version integer not null
  name text not null
  oldest_working_version integer not null
  applied_at timestamp with time zone not null
  constraint migrations_pk PRIMARY KEY (version)

table outcomes
  execution_id bigint not null
  state text collate C not null
  reason text collate C
  attempts integer not null default 0
  lost_leases integer not null default 0
  lease_token bigint not null default 0
  first_started_at timestamp with time zone
  started_at timestamp with time zone
  finished_at timestamp with time zone not null
  processed bigint
  failed bigint
  skipped bigint
  result jsonb
  result_note text
  error_class text
  error_code text
  error_fingerprint text
  blocked_by bigint
  error_kind text collate C
  acknowledged_at timestamp with time zone
  acknowledged_by text
  constraint outcomes_error_kind_check CHECK (error_kind = ANY (ARRAY['transient'::text, 'throttled'::text, 'permanent'::text]))
  constraint outcomes_pk PRIMARY KEY (execution_id)
  constraint outcomes_reason_check CHECK (
CASE
    WHEN reason IS NULL THEN state <> 'skipped'::text
    WHEN state = 'skipped'::text THEN reason = ANY (ARRAY['overlap'::text, 'superseded'::text, 'excluded'::text, 'dst-gap'::text, 'deadline'::text])
    ELSE state = 'failed'::text AND reason = 'deadline'::text
END)
  constraint outcomes_state_check CHECK (state = ANY (ARRAY['succeeded'::text, 'completed_with_errors'::text, 'failed'::text, 'canceled'::text, 'skipped'::text]))
  with autovacuum_vacuum_insert_scale_factor=0.05
  CREATE INDEX outcomes_dead ON outcomes USING btree (execution_id DESC) WHERE ((state = 'failed'::text) AND (acknowledged_at IS NULL))
  CREATE INDEX outcomes_failed ON outcomes USING btree (finished_at, execution_id) WHERE (state = 'failed'::text)
  CREATE INDEX outcomes_fingerprint ON outcomes USING btree (error_fingerprint, execution_id DESC) WHERE (error_fingerprint IS NOT NULL)
  CREATE INDEX outcomes_rare ON outcomes USING btree (state, execution_id DESC) WHERE (state <> 'succeeded'::text)

table queues
  name text collate C not null
  concurrency integer
  rate integer
  rate_ms integer
  burst integer
  tokens double precision
  refilled_at timestamp with time zone
  paused_at timestamp with time zone
  paused_by text
  pause_reason text
  breaker jsonb
  tally jsonb
  open_until timestamp with time zone
  openings integer not null default 0
  opened_token bigint
  probes_passed integer not null default 0
  constraint queues_breaker_check CHECK (breaker IS NOT NULL OR open_until IS NULL)
  constraint queues_bucket_check CHECK ((rate IS NULL) = (rate_ms IS NULL) AND (rate IS NULL) = (burst IS NULL))
  constraint queues_concurrency_check CHECK (concurrency > 0)
  constraint queues_pk PRIMARY KEY (name)
  constraint queues_rate_check CHECK (rate > 0)
  with fillfactor=50

table requests
  id text collate C not null
  digest text collate C not null
  began_at timestamp with time zone not null
  answer json
  constraint requests_pk PRIMARY KEY (id)
  CREATE INDEX requests_began ON requests USING btree (began_at)

table schedule_versions
  schedule_name text collate C not null
  version integer not null
  valid_from timestamp with time zone not null
  expression text not null
  time_zone text not null
  shape jsonb not null
  carried_at timestamp with time zone
  zone_data text
  constraint schedule_versions_pk PRIMARY KEY (schedule_name, version)
  with fillfactor=70

table schedules
  schedule_name text collate C not null
  job_name text collate C not null
  version integer not null
  cursor_at timestamp with time zone not null
  next_at timestamp with time zone
  last_error text
  failures integer not null default 0
  retry_at timestamp with time zone
  release bigint
  renamed_to text collate C
  earlier_names text[] not null default '{}'::text[]
  constraint schedules_pk PRIMARY KEY (schedule_name)
  with fillfactor=70

table skipped_ranges
  id bigint not null generated always as identity
  job_name text collate C not null
  from_at timestamp with time zone not null
  to_at timestamp with time zone not null
  occurrences bigint not null
  reason text collate C not null
  created_at timestamp with time zone not null
  actor text
  constraint skipped_ranges_order_check CHECK (from_at <= to_at)
  constraint skipped_ranges_pk PRIMARY KEY (id)
  constraint skipped_ranges_reason_check CHECK (reason = ANY (ARRAY['catch-up'::text, 'paused'::text, 'disabled'::text, 'orphaned'::text]))
  CREATE INDEX skipped_ranges_browse ON skipped_ranges USING btree (job_name, from_at)

skipped_ranges_id_seq
  sequence

table steps
  execution_id bigint not null
  step_name text collate C not null
  lease_token bigint not null
  started_at timestamp with time zone not null
  finished_at timestamp with time zone not null
  result json
  constraint steps_pk PRIMARY KEY (execution_id, step_name)

table suspensions
  id bigint not null generated always as identity
  job_name text collate C not null
  kind text collate C not null
  from_at timestamp with time zone not null
  to_at timestamp with time zone
  catch_up boolean not null default false
  actor text
  reason text
  ended_by text
  end_reason text
  constraint suspensions_kind_check CHECK (kind = ANY (ARRAY['paused'::text, 'orphaned'::text]))
  constraint suspensions_order_check CHECK (from_at <= to_at)
  constraint suspensions_pk PRIMARY KEY (id)
  CREATE INDEX suspensions_browse ON suspensions USING btree (job_name, from_at)
  CREATE UNIQUE INDEX suspensions_open ON suspensions USING btree (job_name, kind) WHERE (to_at IS NULL)

suspensions_id_seq
  sequence

table work
  execution_id bigint not null
  job_name text collate C not null
  queue text collate C not null
  priority smallint not null
  run_at timestamp with time zone not null
  phase text collate C not null
  retrying boolean not null default false
  attempt integer not null default 0
  max_attempts integer not null
  lease_ms integer not null
  lease_token bigint not null default 0
  lease_until timestamp with time zone
  worker_id text
  started_at timestamp with time zone
  first_started_at timestamp with time zone
  lost_leases integer not null default 0
  losses_in_row smallint not null default 0
  concurrency_key text collate C
  slot smallint
  deadline_at timestamp with time zone
  cancel_requested_at timestamp with time zone
  stage text
  percent real
  processed bigint
  failed bigint
  skipped bigint
  processed_before bigint
  failed_before bigint
  skipped_before bigint
  elective boolean not null default false
  constraint work_lease_check CHECK ((phase = 'leased'::text) = (lease_until IS NOT NULL))
  constraint work_phase_check CHECK (phase = ANY (ARRAY['leased'::text, 'ready'::text, 'delayed'::text, 'waiting'::text, 'held'::text]))
  constraint work_pk PRIMARY KEY (execution_id)
  constraint work_slot_check CHECK (concurrency_key IS NULL OR slot IS NOT NULL OR (phase <> ALL (ARRAY['ready'::text, 'leased'::text, 'held'::text])))
  with autovacuum_analyze_scale_factor=0
  with autovacuum_analyze_threshold=20000
  with autovacuum_vacuum_cost_delay=0
  with autovacuum_vacuum_scale_factor=0
  with autovacuum_vacuum_threshold=2000
  with fillfactor=70
  with vacuum_truncate=off
  CREATE INDEX work_delayed ON work USING btree (run_at) WHERE (phase = 'delayed'::text)
  CREATE INDEX work_elective ON work USING btree (concurrency_key, job_name, run_at DESC, execution_id DESC) WHERE ((phase = 'waiting'::text) AND elective)
  CREATE INDEX work_group ON work USING btree (concurrency_key, job_name) WHERE ((phase = 'waiting'::text) OR (slot IS NOT NULL))
  CREATE INDEX work_held ON work USING btree (job_name, execution_id) WHERE (phase = 'held'::text)
  CREATE INDEX work_leased ON work USING btree (execution_id) WHERE (phase = 'leased'::text)
  CREATE INDEX work_ready ON work USING btree (queue, priority, run_at, execution_id) WHERE (phase = 'ready'::text)
  CREATE UNIQUE INDEX work_slot ON work USING btree (concurrency_key, slot) WHERE (slot IS NOT NULL)
  CREATE INDEX work_waiting ON work USING btree (concurrency_key, priority, run_at, execution_id) WHERE (phase = 'waiting'::text)
