#!/usr/bin/env bash
# Builds images from static programs, such as those of an archive for musl, without a registry:
#
#   judge/release/containers.sh FOLDER
#
# FOLDER has `judge`, and `judge-server` and `judge-worker` if their images are wanted. Uses buildah, or
# podman.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

folder=${1:?'usage: judge/release/containers.sh FOLDER'}
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
builder=''
for command in buildah podman; do
    [[ -n $builder ]] || ! command -v "$command" >/dev/null || builder=$command
done
if [[ -z $builder ]]; then
    echo 'neither buildah nor podman is installed here: no image is built' >&2
    exit 4
fi
context=$(mktemp -d)
trap 'rm -rf -- "$context"' EXIT
# Folders as they are in the images, because a copied folder keeps the modes only of those below it.
mkdir -p -- "$context"/{shared/tmp,server/data,worker/cache}
chmod -- 1777 "$context/shared/tmp"
chmod -- 0700 "$context"/{server/data,worker/cache}
for program in judge judge-server judge-worker; do
    [[ -e $folder/$program ]] || continue
    # An image from nothing has no loader and no C library.
    if readelf --program-headers -- "$folder/$program" | grep INTERP >/dev/null; then
        echo "\`$folder/$program\` is not static: build it for a musl target" >&2
        exit 3
    fi
    cp -- "$folder/$program" "$context/"
    "$builder" build --timestamp "$epoch" --target "$program" --tag "$program" \
        --file judge/release/Containerfile "$context"
done
