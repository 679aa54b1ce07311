-- Makes the role `legacy_gateway`, with rights to a schema of its own and to nothing else. Run it once, as a superuser, in the
-- database that is to hold the gateways' results and nothing else. The password is in the file that STATE_PASSWORD_FILE names:
--   STATE_PASSWORD_FILE=password.txt psql -d legacy_gateway -f deploy/postgres/create-role.sql
\set ON_ERROR_STOP on
\set password `cat "$STATE_PASSWORD_FILE"`
BEGIN;
CREATE ROLE legacy_gateway LOGIN NOINHERIT PASSWORD :'password';
CREATE SCHEMA legacy_gateway AUTHORIZATION legacy_gateway;
REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT CONNECT ON DATABASE :"DBNAME" TO legacy_gateway;
COMMIT;
