#!/usr/bin/env bash
# A rolling upgrade with two builds: this source, and the same with the next version number. Machines and
# runs of both share a database while machines of the old version are replaced one by one. Each run must
# have the bytes of a local run of its own version, out of machines of its own version alone:
# `judge/fleet/tests/upgrade.sh`. It takes as long as building the judge twice.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../../.."

target=$(realpath -m -- "${CARGO_TARGET_DIR:-target}")
postgres=$(dirname -- "$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | tail -n 1)")
place=$(mktemp -d)
end() {
    mapfile -t running < <(jobs -p)
    kill "${running[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf -- "$place"
}
trap end EXIT

# build NAME FOLDER: `judge` and `judge-worker` of that source.
build() {
    mkdir -p -- "$place/$1"
    (cd "$2" && CARGO_TARGET_DIR=$target cargo build --quiet --package judge --package judge-fleet \
        --features judge/fleet --bins)
    cp -- "$target/debug/judge" "$target/debug/judge-worker" "$place/$1/"
}
mkdir -- "$place/source"
git ls-files -z | xargs -0 tar -c --null -- | tar -x -C "$place/source"
sed -i '0,/^version = ".*"/s//version = "999.0.0"/' "$place/source/Cargo.toml"
build new "$place/source"
build old .

# The database, with a note of which machine told what of which version's batches.
as_user=()
[[ $EUID -ne 0 ]] || { chown postgres "$place"; chmod 755 "$place"; as_user=(runuser -u postgres --); }
"${as_user[@]}" "$postgres/initdb" --username=judge --auth=trust -D "$place/data" >/dev/null
"${as_user[@]}" "$postgres/postgres" -D "$place/data" -k "$place" -c listen_addresses= \
    >"$place/database.log" 2>&1 &
sql() { "$postgres/psql" -h "$place" -U judge -d postgres -qtA -c "$1"; }
until sql 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done
export JUDGE_DATABASE="postgres://judge@localhost/postgres?host=$place"
for version in old new; do "$place/$version/judge-worker" setup --role judge >/dev/null; done
sql "CREATE TABLE note (version TEXT, machine TEXT);
     CREATE FUNCTION take_note() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
     INSERT INTO public.note SELECT fingerprint, NEW.machine FROM judge_fleet.batch WHERE id = NEW.batch;
     RETURN NEW; END \$\$;
     CREATE TRIGGER take_note AFTER INSERT ON judge_fleet.outcome
     FOR EACH ROW EXECUTE FUNCTION take_note()"

# machine VERSION NUMBER
declare -A machine
machine() {
    "$place/$1/judge-worker" --name="$1-$2" --jobs=1 --lease=5 --cache="$place/cache-$1-$2" \
        2>"$place/$1-$2.log" &
    machine[$1-$2]=$!
}
# a_run VERSION OUTPUT [OPTION…]
a_run() {
    "$place/$1/judge" tournament random distance sample-bots/prebuilt/mahjong-hunter.wasm \
        --game mahjong --rounds 600 --seed 7 --json "$place/$2" "${@:3}" >/dev/null
}
enough() { [[ $(sql "SELECT COUNT(*) FROM note") -ge $1 ]]; }

for version in old new; do a_run "$version" "$version.json"; done
machine old 1
machine old 2
a_run old old-fleet.json --database "$JUDGE_DATABASE" & old_run=$!
until enough 2; do sleep 0.05; done
machine new 1
a_run new new-fleet.json --database "$JUDGE_DATABASE" & new_run=$!
kill -TERM "${machine[old-1]}"
machine new 2
wait "$old_run" "$new_run"
kill -TERM "${machine[old-2]}"

# result NAME: without the time that it took.
result() { grep -v '"wall_ms": ' -- "$place/$1.json"; }
for version in old new; do diff -- <(result "$version") <(result "$version-fleet"); done
diff -q -- <(result old) <(result new) >/dev/null && { echo 'both builds are one version'; exit 1; }
sql "SELECT split_part(machine, '-', 1) AS machines, md5(version) AS version, COUNT(*) AS batches
     FROM note GROUP BY 1, 2 ORDER BY 1" | tee "$place/who"
[[ $(cut -d '|' -f 1 "$place/who") == $'new\nold' ]] ||
    { echo 'a machine has played for another version'; exit 1; }
echo 'each run has the bytes of a local one, out of machines of its own version alone'
