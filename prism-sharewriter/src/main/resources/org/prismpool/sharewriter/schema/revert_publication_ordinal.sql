-- Takes the publication ordinal out of the schema. Without CASCADE: whatever foreign depends on it makes this fail.
SET LOCAL lock_timeout = '10s';
DO $$ BEGIN PERFORM pg_advisory_xact_lock(hashtext('qbit_audit_publication_sequence_migration')); END $$;
LOCK TABLE qbit_pool_blocks IN ACCESS EXCLUSIVE MODE;
ALTER TABLE qbit_pool_blocks DROP CONSTRAINT IF EXISTS qbit_pool_blocks_audit_publication_sequence_check;
DROP TRIGGER IF EXISTS qbit_pool_blocks_assign_publication_ordinal ON qbit_pool_blocks;
DROP FUNCTION IF EXISTS qbit_pool_blocks_assign_publication_ordinal();
DROP INDEX IF EXISTS qbit_pool_blocks_audit_publication_sequence_idx;
ALTER TABLE qbit_pool_blocks DROP COLUMN IF EXISTS audit_publication_sequence;
DROP SEQUENCE IF EXISTS qbit_audit_publication_sequence_seq;

CREATE OR REPLACE FUNCTION qbit_confirm_pool_block(
    confirmed_block_hash text, active_tip_height bigint, active_writer_id text, active_writer_epoch bigint,
    active_writer_session_token text, lease_duration interval DEFAULT interval '5 minutes'
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    block record;
BEGIN
    UPDATE qbit_ledger_writer_lease
       SET lease_expires_at = clock_timestamp() + lease_duration, updated_at = clock_timestamp()
     WHERE singleton AND writer_id = active_writer_id AND writer_epoch = active_writer_epoch
       AND writer_session_token = active_writer_session_token;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'writer lease is not active';
    END IF;

    UPDATE qbit_pool_blocks SET chain_state = 'confirmed'
     WHERE block_hash = confirmed_block_hash AND block_height = active_tip_height
       AND chain_state = 'prepared' AND maturity_state = 'immature';
    IF FOUND THEN
        RETURN 1;
    END IF;

    SELECT block_height, chain_state, maturity_state INTO block
      FROM qbit_pool_blocks WHERE block_hash = confirmed_block_hash;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    IF block.chain_state IN ('inactive', 'rejected', 'reversed') OR block.maturity_state = 'reversed' THEN
        RETURN -1;
    END IF;
    IF block.chain_state = 'confirmed' AND block.block_height = active_tip_height THEN
        RETURN 1;
    END IF;
    RETURN 0;
END;
$$;
ALTER FUNCTION qbit_confirm_pool_block(text, bigint, text, bigint, text, interval) RESET search_path;
ALTER FUNCTION qbit_reactivate_pool_block(text, bigint, text, bigint, text, interval) RESET search_path;
