-- The PostgreSQL container runs this once, when it creates its database.

\set owner_password `cat /run/secrets/owner_password`
\set app_password `cat /run/secrets/app_password`

CREATE ROLE assay_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE assay_app LOGIN PASSWORD :'app_password';
CREATE DATABASE assay OWNER assay_owner;
