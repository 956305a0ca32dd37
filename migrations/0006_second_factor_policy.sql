-- "required" if people need a second factor to work in the dashboard of this merchant
ALTER TABLE merchants ADD COLUMN second_factor TEXT NOT NULL DEFAULT 'optional';
