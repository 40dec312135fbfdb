#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files are whole or not there, and what cannot be written costs nothing else: files.sh SOURCE BUILD
. "$1/tests/programs/common.sh"

small="--extents 64x64 --sweeps 3000 --device cpu --threads 1"
# Sweeps for hours: who refuses it at once has not begun.
long="--extents 64x64 --sweeps 1000000000 --every 1000 --device cpu --threads 1"
little="--effort 0.001 --threads 1 --device cpu"
scan="--extents 8x8 --g 6 --inv-lambda 0 --mu2 -1.5:-1 --replicas 5 --sweeps 100 --device cpu"

# fails REASON COMMAND...: status 1, with the reason on stderr; stdout is in `json`.
fails() {
    reason=$1 got=0
    shift
    "$@" >json 2>err </dev/null || got=$?
    [ "$got" -eq 1 ] || { echo "exit status $got instead of 1"; cat json err; return 1; }
    grep -q -- "$reason" err || { echo "nothing like \"$reason\""; cat err; return 1; }
}

mode_of() {
    stat -c %a "$1"
}

# hidden FOLDER: temporaries that were left behind
hidden() {
    find "$1" -name '.latmc-*'
}

# --- refused before the first sweep

mkdir folder
echo precious >locked
chmod 444 locked
ln -s circle circle
mkfifo pipe
name=$(printf '%0300d' 0)
before=$(ls -A)
while IFS='|' read -r pattern flag value; do
    # shellcheck disable=SC2086
    check "$flag '$value' is refused" refuses "$flag is .* cannot be written: $pattern" \
        "$simulate" $long "$flag" "$value"
done <<EOT
a file needs a name|--csv|
a file needs a name|--save|
it is a folder|--csv|folder
it is a folder|--save|folder
it is a folder|--save|folder/
No such file or directory|--csv|nosuch/f
No such file or directory|--save|nosuch/f
it names a folder|--csv|new/
Not a directory|--csv|locked/f
it is read-only|--csv|locked
it is read-only|--save|locked
Too many levels of symbolic links|--csv|circle
File name too long|--csv|$name
it is no regular file|--save|/dev/null
it is no regular file|--save|pipe
EOT
# shellcheck disable=SC2086
check "--csv and --save to one file" refuses 'are both "f"' "$simulate" $long --csv f --save f
check "the locked file is as it was" same "$(cat locked)" precious
check "nothing was written" same "$(ls -A | grep -vx 'out\|err')" "$before"

# --- symbolic links, modes, what is no file

# shellcheck disable=SC2086
{
    mkdir elsewhere
    echo old >elsewhere/data
    chmod 640 elsewhere/data
    ln -s elsewhere/data first
    ln -s "$work/first" second
    check "csv through two links" answers 0 state_hash "$simulate" $small --csv second
    check "both links stay" test -L second -a -L first
    check "their target is replaced" test "$(wc -l <elsewhere/data)" -eq 3001
    check "its mode stays" same "$(mode_of elsewhere/data)" 640
    ln -s elsewhere/new dangling
    check "csv through a link to nothing" answers 0 state_hash "$simulate" $small --csv dangling
    check "the link stays" test -L dangling
    check "its target is made" test "$(wc -l <elsewhere/new)" -eq 3001
    (umask 027 && "$simulate" $small --csv masked >/dev/null)
    check "a new file has the mode of the umask" same "$(mode_of masked)" 640
    check "nothing is left beside them" none "$(hidden .)"
    if [ "$(id -u)" = 0 ]; then
        mkdir -m 1777 everybodys
        ln -s ../elsewhere/data everybodys/link
        chown -h 65534 everybodys/link
        check "csv through a stranger's link in a sticky folder" refuses \
            "cannot be written: it is a symbolic link of another user" "$simulate" $small \
            --csv everybodys/link
        check "save through it" refuses "it is a symbolic link of another user" "$simulate" $small \
            --save everybodys/link
        chown -h 0 everybodys/link
        check "csv through one's own" answers 0 state_hash "$simulate" $small --csv everybodys/link
    else
        skip "a stranger's link: this is not root"
    fi

    check "csv to /dev/null" answers 0 state_hash "$simulate" $small --csv /dev/null
    check "which is a device still" test -c /dev/null
    check "csv to stdout, a pipe" same "$("$simulate" $small --csv /dev/stdout --json |
        grep -c '^0,[0-9]*,-')" 3000
    "$simulate" $small --csv /dev/stdout >both
    check "csv to stdout, a file: the table" grep -q "^state_hash" both
    check "csv to stdout, a file: and the series" same "$(grep -c '^0,[0-9]*,' both)" 3000
    "$simulate" $small --csv both >both
    check "csv to the file that is stdout" same "$(grep -c '^0,[0-9]*,\|^state_hash' both)" 3001
    cat pipe >received &
    reader=$!
    check "csv to a named pipe" answers 0 state_hash "$simulate" $small --csv pipe
    wait "$reader"
    check "which is one still" test -p pipe
    check "and its reader has all" test "$(wc -l <received)" -eq 3001
}

# --- what fails at the end costs nothing else

# shellcheck disable=SC2086
{
    if [ -c /dev/full ]; then
        check "a full device" fails "/dev/full could not be written: No space left" "$simulate" \
            $small --json --csv /dev/full --save a.sav
        check "has its JSON" json_says "j['records'] == 3000 and j['stopped_by'] is None"
        check "and its save" test -s a.sav
    else
        skip "a full device: there is no /dev/full"
    fi
    limited() (ulimit -f 64 && exec "$@")
    check "a limit on the size of files" fails "limited.csv could not be written: File too large" \
        limited "$simulate" $small --csv limited.csv --save b.sav
    check "has its table" grep -q "^energy " json
    check "and its save" test -s b.sav
    check "and no part of a csv" test ! -e limited.csv
    # The folder goes away while the run is under way, which 0x4000 in SigCgt, SIGTERM, shows.
    gone() {
        mkdir gone
        "$simulate" $long --csv gone/f &
        pid=$!
        until grep -q "^SigCgt:.*[4-7c-f]...\$" "/proc/$pid/status" || ! kill -0 "$pid" 2>/dev/null
        do
            sleep 0.1
        done
        rm -r gone
        kill "$pid"
        wait "$pid"
    }
    check "a folder that went away" fails "gone/f could not be written: No such file" gone
    check "has its table" grep -q "^energy " json
    "$simulate" --extents 8x8 --replicas 2000 --set beta=0.4:0.5 --sweeps 20 --device cpu --csv c.csv \
        --save c.sav 2>err | head -n 1 >json
    check "who reads one line gets it" test -s json
    check "and has csv and save all the same" test "$(wc -l <c.csv)" -eq 40001 -a -s c.sav
    check "without a word" test ! -s err
    closed() ("$simulate" $small --csv closed.csv --save closed.sav >&-)
    check "a closed stdout" fails "the output could not be written: Bad file" closed
    check "has its csv, and nothing else in it" same "$(grep -c '^0,[0-9]*,-' closed.csv)" \
        "$(($(wc -l <closed.csv) - 1))"
    check "and its save" same "$("$simulate" --load closed.sav --sweeps 0 --device cpu | grep hash)" \
        "$("$simulate" $small | grep hash)"
    check "nothing is left beside any of them" none "$(hidden .)"
}

# --- disks that are full or read-only

mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none disk 2>/dev/null; then
    trap 'umount "$work/disk"; rm -rf "$work"' EXIT
    # shellcheck disable=SC2086
    {
        echo old >disk/a.csv
        check "a full disk" fails "disk/a.csv could not be written: No space left" "$simulate" \
            $small --csv disk/a.csv --save d.sav
        check "has its table" grep -q "^energy " json
        check "and its save" test -s d.sav
        check "and the old csv" same "$(cat disk/a.csv)" old
        check "a save on a full disk" fails "save: .*No space left" "$simulate" --extents 1024x1024 \
            --device cpu --sweeps 1 --every 1 --save disk/d.sav --csv e.csv
        check "has the csv" test "$(wc -l <e.csv)" -eq 2
        check "and the table" grep -q "^energy " json
        check "nothing is left on the disk" same "$(ls -A disk)" a.csv
        if have gnuplot; then
            echo old >disk/ising-binder.png
            check "binder: no room for the picture" fails "ising-binder.png could not be drawn" \
                "$binder" $little --output disk
            check "binder: T_c all the same" grep -q "^T_c = " json
            check "binder: the data as well" test -s disk/ising-binder.dat
            check "binder: the old picture" same "$(cat disk/ising-binder.png)" old
            echo old >disk/phi4-phase.png
            check "phase: no room for the picture" fails "phi4-phase.png could not be drawn" \
                "$phase" $scan --output disk
            check "phase: the table" grep -q "^-1.50000 " json
            check "phase: the data" test -s disk/phi4-phase.dat
            check "phase: the old picture" same "$(cat disk/phi4-phase.png)" old
        else
            skip "a full disk and pictures: gnuplot is missing"
        fi
        rm disk/*
        dd if=/dev/zero of=disk/full bs=1k count=64 2>/dev/null
        check "binder: no room at all" fails "ising-binder.dat could not be written: No space left" \
            "$binder" $little --json --output disk
        check "binder: its JSON" json_says "j['t_c'] > 2 and len(j['sizes']) == 4"
        check "phase: no room at all" fails "phi4-phase.dat could not be written: No space left" \
            "$phase" $scan --json --output disk
        check "phase: its JSON" json_says "j['lattices'][0]['records'] == 100"
        mount -o remount,ro disk
    }
    read_only=disk
elif [ "$(id -u)" != 0 ]; then
    skip "a full disk: this is not root"
    chmod 555 disk
    read_only=disk
else
    skip "a full disk: none can be mounted"
    read_only=
fi
if [ -n "$read_only" ]; then
    # shellcheck disable=SC2086
    {
        check "read-only: --csv" refuses "cannot be written: \(Read-only\|Perm\)" "$simulate" $long \
            --csv disk/f
        check "read-only: --save" refuses "cannot be written: \(Read-only\|Perm\)" "$simulate" $long \
            --save disk/f
        in_there() (cd disk && exec "$@")
        for program in "$binder" "$phase"; do
            check "${program##*/}: --output read-only" refuses "cannot be written: \(Read-only\|Perm\)" \
                "$program" --device cpu --output disk
            here() {
                in_there "$program" --device cpu >"$work/out" 2>"$work/err"
                [ $? -eq 2 ] && grep -q "cannot be written: \(Read-only\|Perm\)" "$work/err" &&
                    [ ! -s "$work/out" ]
            }
            check "${program##*/}: the current folder read-only" here
        done
    }
else
    skip "a read-only folder: root can write it"
fi

# --- pictures and data of the others

# shellcheck disable=SC2086
{
    mkdir pictures
    ln -s ../elsewhere/linked.dat pictures/ising-binder.dat
    check "binder: --output" answers 0 "^T_c = " "$binder" $little --output pictures
    check "binder: a linked file is followed" test -L pictures/ising-binder.dat -a -s \
        elsewhere/linked.dat
    check "binder: nothing else is there" none "$(hidden pictures)"
    mkdir "it's"
    ln -s "../it's/ising-binder.png" pictures/phi4-phase.png
    check "phase: --output" answers 0 "^phi4 8x8" "$phase" $scan --output pictures
    if have gnuplot; then
        check "phase: a linked picture is followed" test -L pictures/phi4-phase.png -a -s \
            "it's/ising-binder.png"
    else
        skip "phase: a linked picture: gnuplot is missing"
    fi
    mkdir -p taken/ising-binder.png taken/phi4-field-8x8.png
    check "binder: a folder of the picture's name" refuses "ising-binder.png cannot be written" \
        "$binder" $little --output taken
    check "phase: a folder of a field's name" refuses "phi4-field-8x8.png cannot be written" \
        "$phase" $scan --output taken
}
finish
