-- Sixteen consecutive records of the level below (level 0 is the table `step`). {level} is 1 to 5.
CREATE TABLE step_{level} (
  first_step INTEGER PRIMARY KEY,
  last_step INTEGER NOT NULL,
  count INTEGER NOT NULL,        -- steps in it
  tokens INTEGER NOT NULL,       -- at its end
  loss_count INTEGER NOT NULL,   -- steps whose loss was finite; the next three are over these, NULL where there are none
  loss REAL,                     -- mean
  loss_min REAL,
  loss_max REAL,
  grad_norm_count INTEGER NOT NULL,  -- the same for the gradient norm
  grad_norm REAL,
  grad_norm_min REAL,
  grad_norm_max REAL,
  lr REAL,                       -- mean, as are the next two
  step_ms REAL,
  memory_bytes REAL
)
