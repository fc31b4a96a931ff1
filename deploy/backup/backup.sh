#!/bin/sh
# Backups of one database, found by libpq's variables (PGHOST, PGUSER, PGDATABASE):
#   backup.sh watch          a dump whenever the newest is BACKUP_HOURS old (the default)
#   backup.sh once           a dump now
#   backup.sh restore FILE   replaces the database with a dump
# Dumps older than BACKUP_DAYS are deleted after each dump. A dump is as old as its start, so that the next
# is due at the same time of the day. node_exporter shows when the last began and how long it took.
set -eu
umask 077
folder=${BACKUP_FOLDER:-/backups}
hours=${BACKUP_HOURS:-24}
days=${BACKUP_DAYS:-14}
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi

dump() {
  started=$(date +%s)
  touch "$folder/begun"
  file=$folder/lending-$(date -u +%Y%m%dT%H%M%SZ).dump
  # A dump whose contents cannot be listed is none.
  if ! pg_dump --format=custom --file="$file.part" || ! pg_restore --list "$file.part" > /dev/null; then
    rm -f "$file.part"
    echo 'the backup failed' >&2
    return 1
  fi
  mv "$file.part" "$file"
  touch -r "$folder/begun" "$file"
  find "$folder" -name 'lending-*.dump' -mmin "+$((days * 1440))" -delete
  {
    echo "lending_backup_timestamp_seconds $started"
    echo "lending_backup_duration_seconds $(($(date +%s) - started))"
    echo "lending_backup_interval_seconds $((hours * 3600))"
  } > "$folder/lending_backup.prom.new"
  chmod 644 "$folder/lending_backup.prom.new"
  mv "$folder/lending_backup.prom.new" "$folder/lending_backup.prom"
  echo "wrote $file"
}

is_due() {
  [ -z "$(find "$folder" -name 'lending-*.dump' -mmin "-$((hours * 60))")" ]
}

watch() {
  trap 'exit 0' TERM INT
  while :; do
    if is_due; then dump || true; fi
    sleep 60 &
    wait $!
  done
}

restore() {
  pg_restore --list "$1" > /dev/null
  dropdb --force --if-exists "$PGDATABASE"
  createdb "$PGDATABASE"
  pg_restore --dbname="$PGDATABASE" --no-privileges --exit-on-error "$1"
  echo "restored $1"
}

case ${1:-watch} in
  watch) watch ;;
  once) dump ;;
  restore) restore "$2" ;;
  *) echo 'Usage: backup.sh watch | once | restore FILE' >&2; exit 2 ;;
esac
