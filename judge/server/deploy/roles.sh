#!/bin/sh
# Makes the role of workers. The database's container runs this at its first start.
set -eu
printf '%s\n' "CREATE ROLE player LOGIN PASSWORD :'password';" |
    psql --set=ON_ERROR_STOP=1 --set=password="$PLAYER_PASSWORD" --username="$POSTGRES_USER"
