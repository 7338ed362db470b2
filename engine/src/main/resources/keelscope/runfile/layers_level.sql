-- Sixteen consecutive records of the level below (level 0 is the table `layers_{measure}`). {level} is 1 to 5.
CREATE TABLE layers_{measure}_{level} (
  first_step INTEGER PRIMARY KEY,
  last_step INTEGER NOT NULL,
  count INTEGER NOT NULL,        -- records in it
  mean BLOB NOT NULL,            -- by sub-layer: geometric mean of the positive finite values, the greatest finite value where none
                                 -- is positive, NaN where none is finite; for cosine, alpha and the shares gate_low, gate_high and
                                 -- gate_histogram the arithmetic mean of the finite values
  mean_count BLOB,               -- int32 by sub-layer: values in the mean; NULL where that is `count` everywhere
  min BLOB NOT NULL,             -- of the finite values, NaN where there are none
  max BLOB NOT NULL
)
