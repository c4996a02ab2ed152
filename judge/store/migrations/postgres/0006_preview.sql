-- 1 while an instructor has to accept the results of the present generation before they are shown.
ALTER TABLE suite ADD COLUMN held BIGINT NOT NULL DEFAULT 0;
