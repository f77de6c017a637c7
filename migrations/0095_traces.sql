-- The place of an event in a trace (W3C traceparent), so that each attempt of its delivery continues the trace, also
-- after a restart and in another process. Null without tracing, and for events that no submission has caused. Without a
-- constraint, which would read the whole table.
ALTER TABLE events ADD COLUMN traceparent text;
