#!/bin/sh
# Nothing is built: the test measures the bench360 that is installed, or the one that BENCH360 names.
program=${BENCH360:-$(command -v bench360)}
if [ -z "$program" ]; then
  echo "bench360 is not installed: 'make install' or its Debian package" >&2
  echo 2 >~/install-exit-status
  exit 2
fi
"$program" --version >~/install-footnote
cat >bench360 <<'END'
#!/bin/sh
# bench360 SCENARIO METRIC: one trial. The suite repeats it and keeps the numbers.
program=${BENCH360:-$(command -v bench360)}
"$program" run ${BENCH360_CLIP:+"$BENCH360_CLIP"} --scenario "$1" --trials 1 --duration 10 --format csv -o record.json --force >numbers.csv 2>"$LOG_FILE"
status=$?
# The columns are those of the first line; numbers have no commas, and the texts before them none that this reads.
awk -F, -v metric="$2" '
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = NF - i; next }
  $(NF - column["metric"]) == metric { unit = $(NF - column["unit"]); sub("1/s", "fps", unit); print "bench360", unit, $(NF - column["p50"]) }
' numbers.csv >>"$LOG_FILE"
echo $status >~/test-exit-status
END
chmod +x bench360
echo $? >~/install-exit-status
