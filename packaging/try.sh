#!/usr/bin/env bash
# Tries what `dist.sh` has made, where users will: in bare root folders of Debian 11, 12 and 13, in a virtual environment of
# Python, in the containers for graders and students, and as autograder of Gradescope and Vocareum in containers laid out like theirs.
#
# usage: packaging/try.sh DIST [roots|wheel|containers|autograders]...    [default: all]
#
# DIST has one archive, one .deb and one wheel for this machine. Run it as root on Debian, with mmdebstrap, podman and runc. Nothing is
# built but root folders and images, which takes some minutes. Environment:
#
#   RELEASES   of Debian [default: bullseye bookworm trixie]
#   BASE       image with Python for the containers [default: made, of Debian 12 or the Debian of this machine]
#   NETWORK    if set, the containers are built with the languages of the courses, whose packages are downloaded
#
# With CI set, a release of Debian that cannot be had is a failure, unless REFEREE_MAY_SKIP has its name.
set -euo pipefail
dist=$(cd "${1:?usage: packaging/try.sh DIST [roots|wheel|containers|autograders]...}" && pwd)
shift
cd "$(dirname "$0")/.."
. .ci/skip
[ "$#" -gt 0 ] || set -- roots wheel containers autograders

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Ordinary users in containers have to get there.
chmod 755 "$scratch"
tar --extract --gzip --file "$dist"/referee-*.tar.gz --directory "$scratch" --transform 's|^[^/]*|release|'
release=$scratch/release
sample=tournaments/samples/star-circle-2018
grading="grade tournaments/star-circle-2018.toml --class $sample --only good --isolation bare"
failed=0

# says NAME EXPECTED COMMAND...: the command prints the expected text, and succeeds unless NAME begins with `!`.
says() {
  local name=$1 expected=$2 said code=0
  shift 2
  said=$("$@" 2>&1 </dev/null) || code=$?
  if [[ $name == !* ]] && [ "$code" != 0 ]; then code=0; elif [[ $name == !* ]]; then code=1; fi
  if [ "$code" = 0 ] && grep --quiet --fixed-strings -- "$expected" <<<"$said"; then
    echo "ok: ${name#!}"
  else
    printf 'FAILED: %s: exit code %s; expected `%s` in:\n%s\n' "${name#!}" "$code" "$expected" "$(tail -n 20 <<<"$said")"
    failed=1
  fi
}

# Runs a shell's command in a root folder, with processes and devices.
inside() {
  unshare --mount --pid --fork --kill-child sh -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" &&
      exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -c "$2"' sh "$root" "$1"
}

try_root() {
  local name=$1 python=$2 root=$scratch/root
  if ! mmdebstrap --quiet --variant=minbase ${python:+--include=python3} "$name" "$root" 2>"$scratch/log"; then
    skip "$name" "bare root folders of $name" "mmdebstrap cannot make one ($(tail -n 1 "$scratch/log")); name others in RELEASES"
    rm -rf "$root"
    return
  fi
  cp -r "$release" "$root/opt/referee"
  cp "$dist"/*.deb "$root/opt/referee.deb"
  name="$name ${python:-without Python}"
  says "$name: no compiler" none inside 'command -v cc gcc g++ || echo none'
  says "$name: archive" "referee " inside '/opt/referee/referee --version'
  says "$name: package" "referee " inside 'dpkg --install /opt/referee.deb >/dev/null && /usr/bin/referee --version'
  # Its exit code judges the machine and its load.
  says "$name: doctor" '"isolation"' inside 'referee doctor --json; true'
  says "$name: game" "2 games" inside \
    'cd /opt && referee play --game checkers --games 2 --seed 1 --out run builtin:random builtin:minimax && referee verify run'
  if [ -n "$python" ]; then
    says "$name: graded sample" good inside "cd /opt/referee && ./referee $grading --out /opt/graded"
    says "$name: its verification" "0 different" inside 'referee verify /opt/graded'
  else
    # Nobody gets zero points because Python is missing.
    says "!$name: graded sample" python3 inside "cd /opt/referee && ./referee $grading --out /opt/graded"
  fi
  rm -rf "$root"
}

roots() {
  for name in ${RELEASES:-bullseye bookworm trixie}; do
    try_root "$name" ""
    try_root "$name" python3
  done
}

wheel() {
  local venv=$scratch/venv
  python3 -m venv "$venv"
  says "wheel: installed" "referee " sh -c "'$venv/bin/pip' install --quiet --no-index '$dist'/*.whl && '$venv/bin/referee' --version"
  says "wheel: the binary of the archive" "" cmp "$venv/bin/referee" "$release/referee"
  says "wheel: graded sample" good sh -c "cd '$release' && '$venv/bin/referee' $grading --out '$scratch/by-wheel'"
  says "wheel: removed" gone sh -c "'$venv/bin/pip' uninstall --quiet --yes referee-games && [ ! -e '$venv/bin/referee' ] && echo gone"
}

# With hybrid control groups and without limits of its own, runc asks for more than it may have (`.ci/container`).
contained() {
  timeout 600 podman run --rm --runtime runc --network none --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 "$@"
}

base() {
  base=${BASE:-localhost/referee-tests:$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME" || echo bookworm)}
  podman image exists "$base" ||
    mmdebstrap --quiet --variant=minbase --include=python3 "${base##*:}" - | podman import --quiet - "$base" >/dev/null
}

containers() {
  base
  local kind student=localhost/referee-student work=$scratch/work
  for kind in student grader; do
    if [ -n "${NETWORK:-}" ]; then
      podman build --quiet --runtime runc --network host --build-arg "BASE=$base" --tag "localhost/referee-$kind" \
        --file "$release/containers/Containerfile.$kind" "$release" >/dev/null
      says "$kind: languages" "javac " contained --entrypoint sh "localhost/referee-$kind" -c \
        'g++ --version && python3 --version && javac -version'
      continue
    fi
    # The packages of languages cannot be had, and are installed by the one `RUN`; the base has the one that is needed.
    sed '/^RUN/,/[^\\]$/d' "$release/containers/Containerfile.$kind" >"$scratch/Containerfile"
    podman build --quiet --runtime runc --network none --build-arg "BASE=$base" --tag "localhost/referee-$kind" \
      --file "$scratch/Containerfile" "$release" >/dev/null
  done
  mkdir "$work"
  cp -r "$release/$sample/good" "$work/agent"
  says "student: doctor" '"isolation":"confined"' contained --entrypoint sh "$student" -c 'referee doctor --json; true'
  says "student: check" "ready" contained --volume "$work:/work" "$student" check agent --game star-circle
  says "student: game" "1 game" contained --entrypoint sh "$student" -c \
    'referee play builtin:random builtin:minimax --game checkers --games 1 --out /tmp/run && referee verify /tmp/run'
  says "student: serve" "served" contained --entrypoint python3 "$student" -c '
import subprocess, urllib.request
server = subprocess.Popen("referee serve --play builtin:minimax --game checkers --listen 0.0.0.0:8000".split(),
                          stdout=subprocess.PIPE, text=True)
assert "http://127.0.0.1:8000/" in server.stdout.readline()
for host in ("127.0.0.1", "localhost"):
    request = urllib.request.Request("http://127.0.0.1:8000/", headers={"Host": host + ":8000"})
    assert urllib.request.urlopen(request).status == 200
server.terminate()
print("served")'
  says "!student: directory of another user" "make it writable" contained --user 1000 --volume "$work:/work" "$student" \
    play builtin:random builtin:random --game checkers --games 1
  says "grader: class" good contained --workdir /usr/local/share/referee localhost/referee-grader $grading --out /tmp/graded
  says "!grader: no such file" "has samples" contained localhost/referee-grader grade hw2.toml --class submissions.zip
}

# forge FOLDER PATH...: lets the submission in FOLDER leave a process, and try to open each path, before it answers as it did.
# If one can be opened, it has no answer.
forge() {
  local file
  file=$(ls "$1"/*.py)
  shift
  cat - "$file" >"$scratch/forged" <<EOF
import subprocess as _subprocess, sys as _sys
for _path in "$*".split():
    for _mode in ("ab", "rb"):
        try:
            open(_path, _mode).close()
        except OSError:
            continue
        _sys.exit("forged: " + _mode + " " + _path)
_subprocess.Popen([_sys.executable, "-c", "import time; time.sleep(10 ** 6)", "leftover"])
EOF
  mv "$scratch/forged" "$file"
}

# What the platform would store of this submission is put into `$scratch/PLATFORM.KIND`.
try_platform() {
  local platform=$1 kind=$2 layout=$scratch/$1-$2 source submission grades run said code=0
  mkdir -p "$layout"/{autograder/{source,submission,results},voc/{scripts,work,tmp}}
  if [ "$platform" = gradescope ]; then
    source=/autograder/source submission=/autograder/submission grades=/autograder/results/results.json
    echo '{"users": [{"name": "Ada"}]}' >"$layout/autograder/submission_metadata.json"
    # Packages cannot be had without a network; everything else in `setup.sh` is tried.
    run='printf "#!/bin/sh\n" >/usr/local/bin/apt-get; chmod +x /usr/local/bin/apt-get; bash /autograder/source/setup.sh &&
      cp /autograder/source/run_autograder /autograder && cd /autograder && ./run_autograder'
  else
    source=/voc/scripts submission=/voc/work grades=/voc/tmp/grades
    touch "$layout"/voc/tmp/{grades,report}
    run='cd /voc/work && vocareumGradeFile=/voc/tmp/grades vocareumReportFile=/voc/tmp/report /voc/scripts/grade.sh'
  fi
  unzip -q "$scratch/$platform.zip" -d "$layout$source"
  cp "$release/$sample/good"/*.py "$layout$submission"
  if [ "$kind" = forger ]; then
    forge "$layout$submission" "$grades" /voc/tmp/report /autograder/submission_metadata.json \
      $(cd "$layout" && find ".$source" -type f | sed 's|^\.||')
  fi
  run+='; code=$?; for file in /proc/[0-9]*/cmdline; do
      tr "\0" " " <"$file" | grep -q "leftover $" && echo outlived; done 2>/dev/null; exit $code'
  said=$(contained --volume "$layout/autograder:/autograder" --volume "$layout/voc:/voc" --entrypoint bash "$base" -c "$run" \
    2>&1 </dev/null) || code=$?
  # Without CPU times, which differ from run to run.
  grep -v '"execution_time"\|"output"\|"value": [0-9]*\.' "$layout$grades" >"$scratch/$platform.$kind" || true
  if [ "$code" != 0 ] || [ ! -s "$scratch/$platform.$kind" ] || grep --quiet outlived <<<"$said"; then
    printf 'FAILED: %s, %s: exit code %s\n%s\n' "$platform" "$kind" "$code" "$(tail -n 30 <<<"$said")"
    failed=1
  else
    echo "ok: $platform, $kind"
  fi
}

autograders() {
  base
  local platform
  for platform in gradescope vocareum; do
    "$release/referee" autograder "$platform" "$release/tournaments/star-circle-2018.toml" --out "$scratch/$platform.zip"
    try_platform "$platform" honest
    try_platform "$platform" forger
    says "$platform: both earn the same" "" diff "$scratch/$platform.honest" "$scratch/$platform.forger"
  done
}

for part; do
  case $part in
    roots | wheel | containers | autograders) "$part" ;;
    *) echo "try.sh: there is no part \`$part\`: use roots, wheel, containers or autograders" >&2 && exit 2 ;;
  esac
done
exit "$failed"
