-- The measure {measure} by sub-layer, at the steps that recorded it. Made when it is first recorded.
CREATE TABLE layers_{measure} (
  step INTEGER PRIMARY KEY,
  value BLOB NOT NULL            -- one value a sub-layer
)
