-- Every part of the schemas candor and candor_closed, and of this session's own, where the attestation makes what
-- they should hold: see server/store/postgresql/attestation.py. With what of other schemas acts on their tables.
--
-- The columns are: whether it is of this session, kind, name, and definition; of a grant, the role that has it.
WITH places AS (
    SELECT oid, nspname, nspowner, oid = pg_my_temp_schema() AS made,
        CASE nspname WHEN 'candor_closed' THEN 'candor_closed.' ELSE '' END AS prefix
    FROM pg_namespace WHERE nspname IN ('candor', 'candor_closed') OR oid = pg_my_temp_schema()
),
relations AS (
    SELECT pg_class.*, made, CASE WHEN made THEN relowner ELSE nspowner END AS owner,
        prefix || CASE WHEN made THEN replace(relname, 'candor_closed_', 'candor_closed.') ELSE relname END AS name
    FROM pg_class JOIN places ON relnamespace = places.oid
),
functions AS (
    SELECT pg_proc.*, made, CASE WHEN made THEN proowner ELSE nspowner END AS owner,
        format('%s%s(%s)', prefix, proname, pg_get_function_identity_arguments(pg_proc.oid)) AS name
    FROM pg_proc JOIN places ON pronamespace = places.oid
),
rights AS (
    SELECT made, acl, 'schema ' || nspname AS object
    FROM pg_namespace JOIN places USING (oid, nspname), aclexplode(nspacl) AS acl WHERE NOT made
    UNION ALL
    SELECT made, acl, name FROM relations, aclexplode(relacl) AS acl
    UNION ALL
    SELECT made, acl, format('%s (%s)', name, attname)
    FROM relations JOIN pg_attribute ON attrelid = relations.oid, aclexplode(attacl) AS acl
    UNION ALL
    SELECT made, acl, name FROM functions, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl
    UNION ALL
    SELECT false, acl, concat_ws(
        ' of ', CASE defaclobjtype WHEN 'r' THEN 'later tables' ELSE 'what is made later' END, 'schema ' || nspname
    )
    FROM pg_default_acl LEFT JOIN places ON defaclnamespace = places.oid, aclexplode(defaclacl) AS acl
    WHERE (defaclnamespace = 0 OR NOT made) AND defaclrole IN (SELECT nspowner FROM places WHERE NOT made)
)
SELECT made,
    CASE
        WHEN relkind = 'v' THEN 'view' WHEN relkind = 'm' THEN 'materialized view' WHEN relkind = 'S' THEN 'sequence'
        WHEN relkind = 'c' THEN 'type' WHEN relkind NOT IN ('i', 'I') THEN 'table'
        -- What an expression or an operator class calls, each new row calls.
        WHEN EXISTS (
            SELECT FROM pg_index WHERE indexrelid = relations.oid AND (
                indexprs IS NOT NULL OR indpred IS NOT NULL OR relam >= 16384
                OR EXISTS (SELECT FROM unnest(indclass) AS class WHERE class >= 16384)
            )
        ) THEN 'expression index'
        ELSE 'index'
    END AS kind,
    name,
    concat_ws(
        ' ', relkind, CASE relpersistence WHEN 'u' THEN 'unlogged' END, reloptions::text,
        CASE WHEN relrowsecurity OR relforcerowsecurity THEN 'with policies' END,
        CASE WHEN relowner <> owner THEN 'of ' || relowner::regrole END,
        CASE WHEN relreplident IN ('f', 'i') THEN 'with replica identity' END,
        (SELECT 'by ' || amname FROM pg_am WHERE pg_am.oid = relam AND relam >= 16384),
        CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(relations.oid) END,
        CASE relkind WHEN 'p' THEN pg_get_partkeydef(relations.oid) END,
        pg_get_expr(relpartbound, relations.oid),
        (SELECT string_agg(inhparent::regclass::text, ', ') FROM pg_inherits WHERE inhrelid = relations.oid),
        CASE WHEN relkind IN ('i', 'I') THEN pg_get_indexdef(relations.oid) END,
        (SELECT 'not valid' FROM pg_index WHERE indexrelid = relations.oid AND NOT (indisvalid AND indisready)),
        (SELECT concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcycle)
        FROM pg_sequence WHERE seqrelid = relations.oid)
    ) AS definition
FROM relations
WHERE oid NOT IN (SELECT conindid FROM pg_constraint WHERE contype IN ('p', 'u', 'x'))
UNION ALL
SELECT made, 'column', format('%s.%s', name, attname), concat_ws(
    ' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
    nullif(attidentity::text || attgenerated::text, ''), pg_get_expr(adbin, adrelid),
    (SELECT collname FROM pg_collation WHERE oid = attcollation AND collname <> 'default')
)
FROM relations JOIN pg_attribute ON attrelid = relations.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_attrdef ON adrelid = relations.oid AND adnum = attnum
WHERE relkind IN ('r', 'p', 'f')
UNION ALL  -- PostgreSQL 18 also lists what is not null, which stands with the columns
SELECT made, 'constraint', format('%s.%s', name, conname), concat_ws(
    ' ', pg_get_constraintdef(pg_constraint.oid),
    (SELECT 'turned off' FROM pg_trigger WHERE tgconstraint = pg_constraint.oid AND tgenabled <> 'O' LIMIT 1)
)
FROM relations JOIN pg_constraint ON conrelid = relations.oid WHERE contype NOT IN ('n', 't')
UNION ALL
SELECT made, 'constraint', format('%s.%s', conrelid::regclass, conname), pg_get_constraintdef(pg_constraint.oid)
FROM relations JOIN pg_constraint ON confrelid = relations.oid
WHERE conrelid NOT IN (SELECT oid FROM relations)
UNION ALL
SELECT made, 'constraint', format('%s.inherits_%s', inhrelid::regclass, name), 'inherits'
FROM relations JOIN pg_inherits ON inhparent = relations.oid WHERE inhrelid NOT IN (SELECT oid FROM relations)
UNION ALL  -- a superuser can call a trigger internal: those of keys call functions that PostgreSQL comes with
SELECT made, 'trigger', format('%s.%s', name, tgname), pg_get_triggerdef(pg_trigger.oid) || tgenabled::text
FROM relations JOIN pg_trigger ON tgrelid = relations.oid WHERE NOT tgisinternal OR tgfoid >= 16384
UNION ALL
SELECT made, 'rule', format('%s.%s', name, rulename), pg_get_ruledef(pg_rewrite.oid) || ev_enabled::text
FROM relations JOIN pg_rewrite ON ev_class = relations.oid WHERE relkind NOT IN ('v', 'm') OR rulename <> '_RETURN'
UNION ALL
SELECT made, 'policy', format('%s.%s', name, polname), concat_ws(
    ' ', polcmd, polpermissive, polroles::text, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)
)
FROM relations JOIN pg_policy ON polrelid = relations.oid
UNION ALL
SELECT made, 'function', name, concat_ws(
    ' ', CASE WHEN prokind IN ('f', 'p') THEN pg_get_functiondef(functions.oid) ELSE prokind::text END,
    CASE WHEN proowner <> owner THEN 'of ' || proowner::regrole END
)
FROM functions
UNION ALL
SELECT made, 'operator', prefix || format('%s(%s, %s)', oprname, oprleft::regtype, oprright::regtype), oprcode::text
FROM pg_operator JOIN places ON oprnamespace = places.oid
UNION ALL
SELECT made, 'type', prefix || typname, typtype::text
FROM pg_type JOIN places ON typnamespace = places.oid WHERE typtype IN ('d', 'e', 'r')
UNION ALL
SELECT made, CASE WHEN stxexprs IS NULL THEN 'statistics' ELSE 'expression statistics' END,
    format('%s.%s', name, stxname), pg_get_statisticsobjdef(pg_statistic_ext.oid)
FROM relations JOIN pg_statistic_ext ON stxrelid = relations.oid
UNION ALL
SELECT DISTINCT made, 'grant', format(
    '%s on %s%s', (acl).privilege_type, object, CASE WHEN (acl).is_grantable THEN ' with grant option' ELSE '' END
), CASE (acl).grantee WHEN 0 THEN 'PUBLIC' ELSE (acl).grantee::regrole::text END
FROM rights WHERE (acl).grantee <> (acl).grantor
UNION ALL
SELECT DISTINCT false, 'grant', format('membership in %s', roleid::regrole), member::regrole::text
FROM pg_auth_members WHERE roleid IN (SELECT nspowner FROM places WHERE NOT made)
OR roleid IN (SELECT (acl).grantee FROM rights WHERE object LIKE 'schema %')
OR roleid::regrole::text IN ('pg_read_all_data', 'pg_write_all_data')
UNION ALL
SELECT false, 'extension', extname, '' FROM pg_extension WHERE extname <> 'plpgsql'
UNION ALL
SELECT false, 'event trigger', evtname, '' FROM pg_event_trigger
UNION ALL  -- as replication does, it passes over every trigger
SELECT false, 'setting', name, setting FROM pg_settings WHERE name = 'session_replication_role' AND setting <> 'origin'
