-- Questions to the rows of 'bench360 export --format csv', in DuckDB and SQLite alike; `numbers` is the table, or in DuckDB a file:
--   CREATE VIEW numbers AS SELECT * FROM 'numbers.parquet';
-- A row is one metric of one scenario of one record.

-- slowest: the machines on which a clip decodes slowest.
SELECT machine, input, COUNT(*) AS records, AVG(p50) AS fps
FROM numbers WHERE metric = 'decode_fps' GROUP BY machine, input ORDER BY fps LIMIT 10;

-- wrong: where a picture was wrong.
SELECT machine, device, input, SUM(total) AS wrong
FROM numbers WHERE metric = 'wrong_frame' AND total > 0 GROUP BY machine, device, input ORDER BY wrong DESC LIMIT 10;

-- change: each machine's last seven days beside the time before.
WITH daily AS (
  SELECT machine, input, p50, SUBSTR(CAST(created AS VARCHAR), 1, 10) AS day FROM numbers WHERE metric = 'pipeline_fps'),
parts AS (
  SELECT machine, input, p50, day >= (SELECT MIN(day) FROM (
    SELECT DISTINCT day FROM daily ORDER BY day DESC LIMIT 7) AS last_days) AS is_new FROM daily)
SELECT machine, input, AVG(CASE WHEN is_new THEN p50 END) / AVG(CASE WHEN NOT is_new THEN p50 END) AS ratio
FROM parts GROUP BY machine, input HAVING COUNT(DISTINCT is_new) = 2 ORDER BY ratio LIMIT 10;

-- worth: hardware and software decoding of the same clips beside each other, by label.
SELECT input, label, AVG(CASE WHEN metric = 'decode_fps' THEN p50 END) AS fps,
  AVG(CASE WHEN metric = 'joule_per_frame' THEN mean END) AS joule, AVG(CASE WHEN metric = 'cpu_seconds' THEN p50 END) AS cpu
FROM numbers WHERE scenario = 'decode' GROUP BY input, label ORDER BY input, label LIMIT 20;
