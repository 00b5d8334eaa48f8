-- Rights for Candor on PostgreSQL. Run it as a superuser, or as the owner of the tables where that may make roles, once
-- `candor database migrate` has made them, and again after each upgrade:
--
--     candor database roles | psql --single-transaction --set ON_ERROR_STOP=1 URL
--
-- {application}: what `candor serve` signs in as. It can record, show, open, close and remove; it cannot change a
--   published survey or a report, nor a count once its survey is closed, nor make, change or drop a table. A count of
--   an open survey that it changed is found by `candor verify`.
-- {reader}: reads the definitions and reports of closed surveys, without their receipts, in the schema
--   candor_closed, and nothing else.
-- Their passwords are yours to set: ALTER ROLE {application} PASSWORD '...'.

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['{application}', '{reader}'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', name);
        END IF;
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), name);
    END LOOP;
    -- At its start the server makes the tables once more, as temporary ones, to compare them with those in use.
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), '{application}');
    -- Tables that a survey gets when it opens or closes are its owner's to make.
    EXECUTE format(
        'ALTER DEFAULT PRIVILEGES FOR ROLE %s IN SCHEMA candor GRANT SELECT, INSERT ON TABLES TO {application}',
        (SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'candor')
    );
    EXECUTE format(
        'ALTER DEFAULT PRIVILEGES FOR ROLE %s IN SCHEMA candor_closed GRANT SELECT ON TABLES TO {reader}',
        (SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'candor_closed')
    );
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA candor, candor_closed FROM PUBLIC, {application}, {reader};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA candor FROM PUBLIC, {application}, {reader};
REVOKE ALL ON SCHEMA candor, candor_closed FROM PUBLIC, {application}, {reader};

GRANT USAGE ON SCHEMA candor TO {application};
GRANT SELECT ON ALL TABLES IN SCHEMA candor TO {application};
GRANT INSERT (slug, state, draft), UPDATE (slug, draft, saves) ON candor.surveys TO {application};
GRANT UPDATE (counts, published) ON candor.tallies TO {application};
GRANT INSERT (survey_id, counts), UPDATE (counts) ON candor.tally_parts TO {application};
GRANT INSERT, UPDATE (started, sent) ON candor.days TO {application};
GRANT INSERT (survey_id, zone), UPDATE (zone, opens_at, opens_as, stays_draft, closes_at, quota, end_changed, closed_by,
    paused, archived, remove_at) ON candor.life TO {application};
GRANT INSERT, UPDATE (value) ON candor.settings TO {application};
GRANT INSERT, UPDATE, DELETE ON candor.accounts, candor.sessions, candor.attempts TO {application};
GRANT INSERT, UPDATE, DELETE ON candor.tokens, candor.token_surveys TO {application};
GRANT INSERT, UPDATE, DELETE ON candor.account_rights, candor.grants TO {application};
GRANT INSERT, UPDATE, DELETE ON candor.second_factors, candor.recovery_codes, candor.identities TO {application};
GRANT INSERT, UPDATE, DELETE ON candor.staff_links, candor.staff_link_surveys TO {application};
GRANT INSERT ON candor.origins TO {application};
GRANT INSERT, DELETE ON candor.legal_holds TO {application};
GRANT INSERT, UPDATE (account_id, made, confirmed_by, asked_by), DELETE ON candor.proposals TO {application};
GRANT INSERT, DELETE ON candor.leaf_sheets TO {application};
GRANT INSERT, UPDATE (noted) ON candor.counted_lists TO {application};
GRANT INSERT (id, who, what, survey, about, nonce, previous) ON candor.audit TO {application};
GRANT INSERT, DELETE ON candor.pictures, candor.survey_pictures TO {application};
GRANT INSERT, UPDATE (made, sheets, withdrawn, listed) ON candor.invited TO {application};
GRANT INSERT, UPDATE (used), DELETE ON candor.invitations TO {application};
GRANT EXECUTE ON FUNCTION candor.open_survey, candor.close_survey, candor.delete_survey, candor.write_anew,
    candor.forget_arrivals, candor.remove_reports, candor.state_of TO {application};

DO $$
DECLARE
    arrivals text;
BEGIN
    FOR arrivals IN SELECT tablename FROM pg_tables WHERE schemaname = 'candor' AND tablename LIKE 'arrivals\_%' LOOP
        EXECUTE format('GRANT INSERT ON candor.%I TO {application}', arrivals);
    END LOOP;
END $$;

GRANT USAGE ON SCHEMA candor_closed TO {reader};
GRANT SELECT ON ALL TABLES IN SCHEMA candor_closed TO {reader};
