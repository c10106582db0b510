#!/bin/sh
# Creates the passwords and keys of docker-compose.yml in deploy/compose/secrets/. Files that exist are not changed.
set -eu

cd "$(dirname "$0")"
mkdir -p secrets
# Only the owner can enter the folder. The users of the containers read the files, which are mounted one by one.
chmod 700 secrets
cd secrets
umask 022

create() {
  [ -e "$1" ] || printf '%s\n' "$2" >"$1"
}

for name in postgres owner app redis; do create "${name}_password" "$(openssl rand -hex 24)"; done
create secret_key "$(openssl rand -base64 32)"
create database_url "postgres://assay_app:$(cat app_password)@postgres/assay"
create migration_database_url "postgres://assay_owner:$(cat owner_password)@postgres/assay"
create redis_url "redis://assay:$(cat redis_password)@redis"
# Without a password only PING, for the health check.
create redis_users "user default on nopass -@all +ping
user assay on >$(cat redis_password) ~assay:work:* ~assay:limits:* &assay:work:* +@all -@dangerous"

echo "The secrets are in $PWD. Keep a copy of secret_key: a backup of the database is incomplete without it."
