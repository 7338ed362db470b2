-- The run file: what one arm of an experiment recorded. A SQLite 3 database with the extension .keelrun,
-- application_id 0x4B45454C ("KEEL") and the number of this format in user_version. Format 1.
--
-- While an engine writes, the file is in write-ahead mode (NAME-wal and NAME-shm lie beside it) and NAME.lock is locked;
-- after a clean end it is one file. A step is one transaction: it is there with all its measures or not at all.
--
-- Conventions. Steps count from 0. *_ms columns hold wall clock, ms since 1970, step_ms alone a duration in ms. A REAL that is
-- NULL was not a number (NaN); infinities are stored as such. A BLOB of values holds float32, little-endian, one for each
-- sub-layer from the input on.
--
-- Levels. A run of a million steps is drawn from a few hundred records. So every 16 consecutive records of `step` are also folded into
-- one of `step_1`, every 16 of those into one of `step_2`, and so on up to `step_5`; each is written in the transaction
-- that completes it, and a level's table is made with its first record. Records not yet folded are read one level below. The same holds for every layers_* table (layers.sql).
-- Statements are separated by a line that holds only a semicolon.

-- What the arm is; fixed when the file is made. Keys: experiment_name, experiment_yaml (the whole experiment, defaults
-- written out), arm, scheme, layers (sub-layers, L), d_model, parameters, steps, tokens_per_step, alpha, seed, data,
-- data_hash (SHA-256), vocabulary, device, device_note, threads, created_ms, probe_every (steps between probes), divergence (the rule by
-- which it is judged, JSON), recompute (blocks that the backward pass computes again at a time, 0 for none). Numbers are written
-- in decimal, NaN as NaN; a key that an earlier version did not write is missing.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
)
;
-- What the engine is doing; one row.
CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  status TEXT NOT NULL,          -- STARTING, RUNNING, PAUSED, FINISHED, STOPPED, DIVERGED or FAILED
  message TEXT NOT NULL,         -- one sentence, '' where there is nothing to say
  pid INTEGER NOT NULL,          -- process that last wrote, 0 before there was one
  heartbeat_ms INTEGER NOT NULL  -- last sign of life besides the steps themselves
)
;
-- Run measures of each step.
CREATE TABLE step (
  step INTEGER PRIMARY KEY,
  tokens INTEGER NOT NULL,       -- trained on up to and including this step
  loss REAL,                     -- mean cross-entropy of the batch before the update, nats
  lr REAL,                       -- learning rate of the update
  grad_norm REAL,                -- total gradient norm before clipping
  step_ms REAL,                  -- duration, measuring included
  time_ms INTEGER NOT NULL,      -- at the step's end
  memory_bytes INTEGER NOT NULL  -- of the engine process
)
;
-- Validation after a step (-1: before the first).
CREATE TABLE validation (
  step INTEGER PRIMARY KEY,
  loss REAL,                     -- mean cross-entropy over the held-out windows, nats
  accuracy REAL                  -- share of right answers; NULL where the data have none; no such column in files of earlier versions
)
;
-- What happened, to be marked on the charts.
CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  step INTEGER NOT NULL,         -- step at which it took effect
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,            -- pause, resume, stop, lr, probe, checkpoint, diverged, spike, killed, failed, ...
  text TEXT NOT NULL             -- one sentence
)
;
-- What the user asked of the engine; written by other processes, taken by the engine between two steps.
CREATE TABLE command (
  id INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  name TEXT NOT NULL,            -- pause, resume, stop, lr, probe, checkpoint, step
  argument TEXT NOT NULL,        -- '' where there is none
  taken_step INTEGER,            -- step at which it took effect; NULL while it waits, -1 if the engine ended first
  taken_ms INTEGER
)
;
CREATE INDEX command_waiting ON command (id) WHERE taken_step IS NULL
