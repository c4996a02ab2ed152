-- While an instructor has to accept the results of the present generation before they are shown, the
-- generation before it; otherwise 0.
ALTER TABLE suite ADD COLUMN held_from INTEGER NOT NULL DEFAULT 0;
-- 1 if an instructor discarded its results, or began another grading before accepting them.
ALTER TABLE suite_generation ADD COLUMN discarded INTEGER NOT NULL DEFAULT 0;
