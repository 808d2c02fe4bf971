-- Brings a database to the ledger contract: creates everything on an empty database and completes every older shape.
-- Runs in one transaction; a second run changes nothing. A coordinator still writing makes it fail on the lock timeout.
SET LOCAL lock_timeout = '10s';
SET LOCAL client_min_messages = warning;
DO $$ BEGIN PERFORM pg_advisory_xact_lock(hashtext('qbit_audit_publication_sequence_migration')); END $$;

-- Writer lease -------------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS qbit_ledger_writer_lease (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    writer_id text NOT NULL,
    writer_epoch bigint NOT NULL CHECK (writer_epoch >= 0),
    writer_session_token text NOT NULL,
    lease_expires_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

ALTER TABLE qbit_ledger_writer_lease ADD COLUMN IF NOT EXISTS writer_session_token text;
UPDATE qbit_ledger_writer_lease
   SET writer_session_token = writer_id || ':' || writer_epoch
 WHERE writer_session_token IS NULL;
ALTER TABLE qbit_ledger_writer_lease ALTER COLUMN writer_session_token SET NOT NULL;

-- Shares -------------------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS qbit_share_ledger (
    share_seq bigserial PRIMARY KEY,
    share_id text NOT NULL UNIQUE,
    miner_id text NOT NULL,
    payout_order_key text NOT NULL,
    p2mr_program bytea NOT NULL CHECK (octet_length(p2mr_program) = 32),
    share_difficulty numeric(78, 0) NOT NULL CHECK (share_difficulty > 0),
    network_difficulty numeric(78, 0) NOT NULL CHECK (network_difficulty > 0),
    template_height bigint NOT NULL CHECK (template_height >= 0),
    job_id text NOT NULL,
    job_issued_at timestamptz NOT NULL,
    ntime bigint NOT NULL CHECK (ntime >= 0),
    accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    accepted boolean NOT NULL DEFAULT true,
    reject_reason text CHECK (reject_reason IS NULL OR reject_reason IN (
        'stale-job', 'duplicate-share', 'low-difficulty', 'malformed-submit', 'unauthorized-worker', 'unknown-job',
        'invalid-extranonce', 'invalid-ntime-or-nonce', 'candidate-audit-mismatch', 'submitblock-rejected',
        'backend-rpc-unavailable', 'internal-error', 'pool-closed', 'block-stale', 'ledger-confirmation-failed')),
    writer_id text NOT NULL,
    writer_epoch bigint NOT NULL CHECK (writer_epoch >= 0),
    credit_policy text CHECK (credit_policy IS NULL OR credit_policy = 'stale-grace'),
    CONSTRAINT qbit_share_ledger_check CHECK (accepted OR reject_reason IS NOT NULL)
);

ALTER TABLE qbit_share_ledger ADD COLUMN IF NOT EXISTS credit_policy text;
DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_constraint
         WHERE conrelid = 'qbit_share_ledger'::regclass AND conname = 'qbit_share_ledger_credit_policy_check') THEN
        -- NOT VALID: the largest table is not scanned; rows of the older release cannot hold a value here.
        ALTER TABLE qbit_share_ledger ADD CONSTRAINT qbit_share_ledger_credit_policy_check
            CHECK (credit_policy IS NULL OR credit_policy = 'stale-grace') NOT VALID;
    END IF;
END $$;

CREATE INDEX IF NOT EXISTS qbit_share_ledger_accepted_window_idx
    ON qbit_share_ledger (job_issued_at, share_seq DESC) WHERE accepted;
CREATE INDEX IF NOT EXISTS qbit_share_ledger_template_height_idx
    ON qbit_share_ledger (template_height, share_seq) WHERE accepted;
CREATE INDEX IF NOT EXISTS qbit_share_ledger_accepted_recent_idx
    ON qbit_share_ledger (accepted_at DESC) INCLUDE (share_difficulty, miner_id, share_seq) WHERE accepted;
CREATE INDEX IF NOT EXISTS qbit_share_ledger_accepted_miner_recent_idx
    ON qbit_share_ledger (miner_id, accepted_at DESC)
    INCLUDE (share_difficulty, share_seq, share_id, payout_order_key) WHERE accepted;
CREATE INDEX IF NOT EXISTS qbit_share_ledger_accepted_seq_window_idx
    ON qbit_share_ledger (share_seq DESC)
    INCLUDE (job_issued_at, accepted_at, miner_id, payout_order_key, p2mr_program, share_difficulty, share_id)
    WHERE accepted;
CREATE INDEX IF NOT EXISTS qbit_share_ledger_accepted_block_suffix_idx
    ON qbit_share_ledger (lower(right(share_id, 64)), accepted_at DESC, share_seq DESC)
    INCLUDE (miner_id, share_difficulty, network_difficulty) WHERE accepted AND length(share_id) >= 65;

-- Block candidates ---------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS qbit_block_candidate_outbox (
    block_hash text PRIMARY KEY,
    share_id text UNIQUE REFERENCES qbit_share_ledger (share_id),
    candidate jsonb,
    candidate_sha256 text NOT NULL CHECK (candidate_sha256 ~ '^[0-9a-f]{64}$'),
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'submitted', 'abandoned')),
    attempt_count integer NOT NULL DEFAULT 0 CHECK (attempt_count >= 0),
    last_error text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at timestamptz,
    CONSTRAINT qbit_block_candidate_outbox_check CHECK (
        (state = 'pending' AND completed_at IS NULL AND candidate IS NOT NULL)
        OR (state IN ('submitted', 'abandoned') AND completed_at IS NOT NULL AND candidate IS NULL))
);

CREATE INDEX IF NOT EXISTS qbit_block_candidate_outbox_pending_idx
    ON qbit_block_candidate_outbox (created_at, block_hash) WHERE state = 'pending';

-- Pool blocks --------------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS qbit_pool_blocks (
    block_hash text PRIMARY KEY,
    block_height bigint NOT NULL CHECK (block_height >= 0),
    parent_hash text NOT NULL,
    coinbase_txid text NOT NULL,
    payout_manifest_sha256 text NOT NULL,
    found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    chain_state text NOT NULL DEFAULT 'prepared'
        CHECK (chain_state IN ('prepared', 'confirmed', 'inactive', 'rejected', 'reversed')),
    maturity_state text NOT NULL DEFAULT 'immature' CHECK (maturity_state IN ('immature', 'mature', 'reversed')),
    matured_at timestamptz,
    disconnected_at timestamptz,
    CONSTRAINT qbit_pool_blocks_check CHECK ((maturity_state = 'mature') = (matured_at IS NOT NULL)),
    CONSTRAINT qbit_pool_blocks_check1 CHECK ((maturity_state = 'reversed') = (disconnected_at IS NOT NULL))
);

DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_attribute
         WHERE attrelid = 'qbit_pool_blocks'::regclass AND attname = 'chain_state' AND NOT attisdropped) THEN
        ALTER TABLE qbit_pool_blocks ADD COLUMN chain_state text;
    END IF;
    -- Blocks recorded before the column existed were on the chain.
    UPDATE qbit_pool_blocks
       SET chain_state = CASE WHEN maturity_state = 'reversed' THEN 'reversed' ELSE 'confirmed' END
     WHERE chain_state IS NULL;
    ALTER TABLE qbit_pool_blocks ALTER COLUMN chain_state SET DEFAULT 'prepared';
    ALTER TABLE qbit_pool_blocks ALTER COLUMN chain_state SET NOT NULL;
    IF NOT EXISTS (
        SELECT FROM pg_constraint
         WHERE conrelid = 'qbit_pool_blocks'::regclass AND conname = 'qbit_pool_blocks_chain_state_check') THEN
        ALTER TABLE qbit_pool_blocks ADD CONSTRAINT qbit_pool_blocks_chain_state_check
            CHECK (chain_state IN ('prepared', 'confirmed', 'inactive', 'rejected', 'reversed'));
    END IF;
END $$;

CREATE INDEX IF NOT EXISTS qbit_pool_blocks_maturity_idx ON qbit_pool_blocks (maturity_state, block_height);
CREATE INDEX IF NOT EXISTS qbit_pool_blocks_public_recent_idx
    ON qbit_pool_blocks (block_height DESC, found_at DESC)
    INCLUDE (block_hash, payout_manifest_sha256, coinbase_txid, chain_state, maturity_state)
    WHERE chain_state <> 'reversed';

CREATE TABLE IF NOT EXISTS qbit_pool_payout_entries (
    payout_entry_seq bigserial PRIMARY KEY,
    block_hash text NOT NULL REFERENCES qbit_pool_blocks (block_hash),
    block_height bigint NOT NULL CHECK (block_height >= 0),
    miner_id text NOT NULL,
    payout_order_key text NOT NULL,
    p2mr_program bytea NOT NULL CHECK (octet_length(p2mr_program) = 32),
    onchain_amount_sats bigint NOT NULL CHECK (onchain_amount_sats >= 0),
    carry_forward_balance_sats numeric(78, 0) NOT NULL,
    action text NOT NULL CHECK (action IN ('onchain', 'accrued')),
    maturity_state text NOT NULL DEFAULT 'immature' CHECK (maturity_state IN ('immature', 'mature', 'reversed')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX IF NOT EXISTS qbit_pool_payout_entries_block_idx ON qbit_pool_payout_entries (block_hash, payout_entry_seq);
CREATE INDEX IF NOT EXISTS qbit_pool_payout_entries_maturity_idx
    ON qbit_pool_payout_entries (maturity_state, block_height);
CREATE INDEX IF NOT EXISTS qbit_pool_payout_entries_miner_public_history_idx
    ON qbit_pool_payout_entries (miner_id, block_height DESC, payout_entry_seq DESC)
    INCLUDE (block_hash, payout_order_key, p2mr_program, onchain_amount_sats, carry_forward_balance_sats, action,
        maturity_state, created_at)
    WHERE maturity_state <> 'reversed';

-- Carry-forward journal and its summary --------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS qbit_payout_carry_forward (
    carry_forward_seq bigserial PRIMARY KEY,
    block_height bigint NOT NULL CHECK (block_height >= 0),
    block_hash text,
    miner_id text NOT NULL,
    payout_order_key text NOT NULL,
    p2mr_program bytea NOT NULL CHECK (octet_length(p2mr_program) = 32),
    gross_amount_sats bigint NOT NULL CHECK (gross_amount_sats >= 0),
    prior_balance_sats numeric(78, 0) NOT NULL,
    candidate_balance_sats numeric(78, 0) NOT NULL,
    onchain_amount_sats bigint NOT NULL CHECK (onchain_amount_sats >= 0),
    settlement_fee_sats bigint NOT NULL DEFAULT 0 CHECK (settlement_fee_sats >= 0),
    carry_forward_balance_sats numeric(78, 0) NOT NULL,
    action text NOT NULL CHECK (action IN ('onchain', 'accrued')),
    maturity_state text NOT NULL DEFAULT 'immature' CHECK (maturity_state IN ('immature', 'mature', 'reversed')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_attribute
         WHERE attrelid = 'qbit_payout_carry_forward'::regclass AND attname = 'settlement_fee_sats'
           AND NOT attisdropped) THEN
        ALTER TABLE qbit_payout_carry_forward ADD COLUMN settlement_fee_sats bigint NOT NULL DEFAULT 0
            CONSTRAINT qbit_payout_carry_forward_settlement_fee_sats_check CHECK (settlement_fee_sats >= 0);
    END IF;
END $$;

CREATE INDEX IF NOT EXISTS qbit_payout_carry_forward_miner_idx
    ON qbit_payout_carry_forward (miner_id, payout_order_key, carry_forward_seq DESC);
CREATE INDEX IF NOT EXISTS qbit_payout_carry_forward_current_idx
    ON qbit_payout_carry_forward (miner_id, payout_order_key, p2mr_program, block_height DESC, carry_forward_seq DESC)
    WHERE maturity_state <> 'reversed';
CREATE INDEX IF NOT EXISTS qbit_payout_carry_forward_maturity_idx
    ON qbit_payout_carry_forward (maturity_state, block_height);
CREATE INDEX IF NOT EXISTS qbit_payout_carry_forward_miner_public_history_idx
    ON qbit_payout_carry_forward (miner_id, block_height DESC, carry_forward_seq DESC)
    INCLUDE (block_hash, payout_order_key, p2mr_program, gross_amount_sats, onchain_amount_sats, settlement_fee_sats,
        carry_forward_balance_sats, action, maturity_state, created_at)
    WHERE maturity_state <> 'reversed';
CREATE INDEX IF NOT EXISTS qbit_payout_carry_forward_block_amount_idx
    ON qbit_payout_carry_forward (block_hash) INCLUDE (gross_amount_sats);

CREATE TABLE IF NOT EXISTS qbit_payout_carry_forward_current (
    miner_id text NOT NULL,
    payout_order_key text NOT NULL,
    p2mr_program bytea NOT NULL CHECK (octet_length(p2mr_program) = 32),
    balance_sats numeric(78, 0) NOT NULL,
    active_row_count bigint NOT NULL CHECK (active_row_count >= 0),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (miner_id, payout_order_key, p2mr_program)
);

-- Audit bundles --------------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS qbit_pool_audit_bundles (
    block_hash text PRIMARY KEY REFERENCES qbit_pool_blocks (block_hash),
    audit_bundle jsonb,
    audit_bundle_sha256 text NOT NULL,
    coinbase_tx_hex text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    body_uri text,
    audit_body_byte_len bigint,
    schema_version text,
    found_block_network_difficulty numeric(78, 0),
    found_block_bits text,
    found_block_coinbase_value_sats bigint,
    audit_commitment_leaves_hex jsonb,
    witness_merkle_leaves_hex jsonb
);

ALTER TABLE qbit_pool_audit_bundles ALTER COLUMN audit_bundle DROP NOT NULL;
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS body_uri text;
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS audit_body_byte_len bigint;
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS schema_version text;
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS found_block_network_difficulty numeric(78, 0);
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS found_block_bits text;
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS found_block_coinbase_value_sats bigint;
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS audit_commitment_leaves_hex jsonb;
ALTER TABLE qbit_pool_audit_bundles ADD COLUMN IF NOT EXISTS witness_merkle_leaves_hex jsonb;
DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_constraint WHERE conrelid = 'qbit_pool_audit_bundles'::regclass
           AND conname = 'qbit_pool_audit_bundles_audit_body_byte_len_check') THEN
        ALTER TABLE qbit_pool_audit_bundles ADD CONSTRAINT qbit_pool_audit_bundles_audit_body_byte_len_check
            CHECK (audit_body_byte_len IS NULL OR audit_body_byte_len >= 0);
    END IF;
    IF NOT EXISTS (
        SELECT FROM pg_constraint WHERE conrelid = 'qbit_pool_audit_bundles'::regclass
           AND conname = 'qbit_pool_audit_bundles_body_present_check') THEN
        ALTER TABLE qbit_pool_audit_bundles ADD CONSTRAINT qbit_pool_audit_bundles_body_present_check
            CHECK (audit_bundle IS NOT NULL OR body_uri IS NOT NULL);
    END IF;
END $$;

CREATE INDEX IF NOT EXISTS qbit_pool_audit_bundles_created_idx ON qbit_pool_audit_bundles (created_at DESC);
CREATE INDEX IF NOT EXISTS qbit_pool_audit_bundles_commitment_leaves_idx
    ON qbit_pool_audit_bundles USING gin (audit_commitment_leaves_hex);
CREATE INDEX IF NOT EXISTS qbit_pool_audit_bundles_witness_leaves_idx
    ON qbit_pool_audit_bundles USING gin (witness_merkle_leaves_hex);
CREATE INDEX IF NOT EXISTS qbit_pool_audit_bundles_legacy_commitment_leaves_idx
    ON qbit_pool_audit_bundles USING gin ((audit_bundle -> 'audit_commitment_leaves_hex'))
    WHERE audit_bundle IS NOT NULL;
CREATE INDEX IF NOT EXISTS qbit_pool_audit_bundles_legacy_witness_leaves_idx
    ON qbit_pool_audit_bundles USING gin ((audit_bundle -> 'witness_merkle_leaves_hex'))
    WHERE audit_bundle IS NOT NULL;

-- CTV fanouts ----------------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS qbit_ctv_fanout_sets (
    block_hash text PRIMARY KEY REFERENCES qbit_pool_blocks (block_hash),
    manifest_set_json text NOT NULL,
    manifest_set jsonb NOT NULL,
    manifest_set_sha256 text NOT NULL,
    settlement_mode text NOT NULL CHECK (settlement_mode IN ('hybrid_coinbase_ctv_fanout', 'ctv_fanout')),
    parent_coinbase_txid text NOT NULL,
    parent_coinbase_tx_hex text NOT NULL,
    fanout_count integer NOT NULL CHECK (fanout_count > 0),
    fanout_output_sum_sats bigint NOT NULL CHECK (fanout_output_sum_sats >= 0),
    covenant_output_value_sats bigint NOT NULL CHECK (covenant_output_value_sats >= 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE IF NOT EXISTS qbit_ctv_fanout_artifacts (
    fanout_txid text PRIMARY KEY,
    block_hash text NOT NULL REFERENCES qbit_ctv_fanout_sets (block_hash),
    manifest_set_sha256 text NOT NULL,
    manifest_json text NOT NULL,
    manifest jsonb NOT NULL,
    manifest_sha256 text NOT NULL,
    precommitment_sha256 text NOT NULL,
    ctv_hash text NOT NULL,
    commitment_witness_leaf_hex text NOT NULL,
    chunk_index integer NOT NULL CHECK (chunk_index >= 0),
    chunk_count integer NOT NULL CHECK (chunk_count > 0),
    parent_coinbase_txid text NOT NULL,
    parent_coinbase_vout integer NOT NULL CHECK (parent_coinbase_vout >= 0),
    fanout_tx_template_hex text NOT NULL,
    fanout_tx_hex text NOT NULL,
    anchor_vout integer CHECK (anchor_vout >= 0),
    covenant_output_value_sats bigint NOT NULL CHECK (covenant_output_value_sats >= 0),
    fanout_output_sum_sats bigint NOT NULL CHECK (fanout_output_sum_sats >= 0),
    settlement_status text NOT NULL DEFAULT 'awaiting_maturity' CHECK (settlement_status IN (
        'awaiting_maturity', 'broadcastable', 'broadcast_submitted', 'confirmed', 'reorged', 'failed')),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (block_hash, chunk_index),
    CONSTRAINT qbit_ctv_fanout_artifacts_check CHECK (chunk_index < chunk_count)
);

ALTER TABLE qbit_ctv_fanout_artifacts ALTER COLUMN anchor_vout DROP NOT NULL;
ALTER TABLE qbit_ctv_fanout_artifacts
    ADD COLUMN IF NOT EXISTS broadcast_attempt_count bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS broadcast_attempt_detail_count bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS first_broadcast_attempt_at timestamptz,
    ADD COLUMN IF NOT EXISTS last_broadcast_attempt_at timestamptz,
    ADD COLUMN IF NOT EXISTS last_broadcast_attempt_status text,
    ADD COLUMN IF NOT EXISTS last_broadcast_package_tx_hexes jsonb NOT NULL DEFAULT '[]'::jsonb,
    ADD COLUMN IF NOT EXISTS last_broadcast_package_txids jsonb NOT NULL DEFAULT '[]'::jsonb,
    ADD COLUMN IF NOT EXISTS last_broadcast_submit_result jsonb,
    ADD COLUMN IF NOT EXISTS last_broadcast_error text,
    ADD COLUMN IF NOT EXISTS broadcast_attempt_status_counts jsonb NOT NULL DEFAULT '{}'::jsonb,
    ADD COLUMN IF NOT EXISTS next_broadcast_attempt_at timestamptz,
    ADD COLUMN IF NOT EXISTS broadcast_retry_backoff_seconds bigint NOT NULL DEFAULT 0;
DO $$
DECLARE
    rule record;
BEGIN
    FOR rule IN SELECT * FROM (VALUES
        ('broadcast_attempt_count', 'broadcast_attempt_count >= 0'),
        ('broadcast_attempt_detail_count', 'broadcast_attempt_detail_count >= 0'),
        ('last_broadcast_attempt_status', 'last_broadcast_attempt_status IS NULL OR last_broadcast_attempt_status IN '
            || '(''planned'', ''submitted'', ''accepted'', ''rejected'', ''failed'')'),
        ('last_broadcast_package_tx_hexes', 'jsonb_typeof(last_broadcast_package_tx_hexes) = ''array'''),
        ('last_broadcast_package_txids', 'jsonb_typeof(last_broadcast_package_txids) = ''array'''),
        ('broadcast_attempt_status_counts', 'jsonb_typeof(broadcast_attempt_status_counts) = ''object'''),
        ('broadcast_retry_backoff_seconds', 'broadcast_retry_backoff_seconds >= 0')
    ) AS rules (column_name, condition) LOOP
        IF NOT EXISTS (
            SELECT FROM pg_constraint WHERE conrelid = 'qbit_ctv_fanout_artifacts'::regclass
               AND conname = 'qbit_ctv_fanout_artifacts_' || rule.column_name || '_check') THEN
            EXECUTE format('ALTER TABLE qbit_ctv_fanout_artifacts ADD CONSTRAINT %I CHECK (%s)',
                'qbit_ctv_fanout_artifacts_' || rule.column_name || '_check', rule.condition);
        END IF;
    END LOOP;
END $$;

CREATE INDEX IF NOT EXISTS qbit_ctv_fanout_artifacts_block_idx ON qbit_ctv_fanout_artifacts (block_hash, chunk_index);
CREATE INDEX IF NOT EXISTS qbit_ctv_fanout_artifacts_status_idx
    ON qbit_ctv_fanout_artifacts (settlement_status, block_hash);
CREATE INDEX IF NOT EXISTS qbit_ctv_fanout_artifacts_broadcast_candidate_idx
    ON qbit_ctv_fanout_artifacts (settlement_status, next_broadcast_attempt_at, block_hash, chunk_index);

CREATE TABLE IF NOT EXISTS qbit_ctv_fanout_broadcast_attempts (
    attempt_seq bigserial PRIMARY KEY,
    fanout_txid text NOT NULL REFERENCES qbit_ctv_fanout_artifacts (fanout_txid),
    attempted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempt_status text NOT NULL
        CHECK (attempt_status IN ('planned', 'submitted', 'accepted', 'rejected', 'failed')),
    package_tx_hexes jsonb NOT NULL DEFAULT '[]'::jsonb CHECK (jsonb_typeof(package_tx_hexes) = 'array'),
    package_txids jsonb NOT NULL DEFAULT '[]'::jsonb CHECK (jsonb_typeof(package_txids) = 'array'),
    submit_result jsonb,
    error text
);

CREATE INDEX IF NOT EXISTS qbit_ctv_fanout_broadcast_attempts_txid_idx
    ON qbit_ctv_fanout_broadcast_attempts (fanout_txid, attempt_seq DESC);

-- Unfenced forms of earlier releases must not exist ------------------------------------------------------------------------

DROP FUNCTION IF EXISTS qbit_confirm_pool_block(text, bigint, text, bigint, interval);
DROP FUNCTION IF EXISTS qbit_mark_pool_block_inactive(text, bigint, text, bigint, interval);
DROP FUNCTION IF EXISTS qbit_reactivate_pool_block(text, bigint, text, bigint, interval);
DROP FUNCTION IF EXISTS qbit_reject_prepared_pool_block(text, bigint, text, bigint, interval);
DROP FUNCTION IF EXISTS qbit_reverse_immature_pool_block(text, bigint, text, bigint, interval);
DROP FUNCTION IF EXISTS qbit_reverse_immature_pool_block(text, bigint);

-- Publication ordinal: column, ordinals of existing blocks, index, check -----------------------------------------------------

DO $$
DECLARE
    ordinal_sequence regclass;
    blocks CONSTANT regclass := 'qbit_pool_blocks'::regclass;
    found_column record;
    next_ordinal numeric;
    highest bigint;
    unnumbered bigint;
BEGIN
    -- The sequence is looked up in the schema of the blocks only: one elsewhere on the search path is not ours.
    SELECT c.oid::regclass INTO ordinal_sequence
      FROM pg_class c
     WHERE c.relname = 'qbit_audit_publication_sequence_seq'
       AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = blocks);
    IF ordinal_sequence IS NULL THEN
        CREATE SEQUENCE qbit_audit_publication_sequence_seq;
        ordinal_sequence := 'qbit_audit_publication_sequence_seq'::regclass;
    END IF;
    IF NOT EXISTS (
        SELECT FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
         WHERE s.seqrelid = ordinal_sequence AND c.relkind = 'S' AND c.relpersistence = 'p'
           AND c.relowner = (SELECT relowner FROM pg_class WHERE oid = blocks)
           AND s.seqtypid = 'bigint'::regtype AND s.seqstart = 1 AND s.seqincrement = 1 AND s.seqcache = 1
           AND NOT s.seqcycle AND s.seqmin = 1 AND s.seqmax = 9223372036854775807)
       OR EXISTS (SELECT FROM pg_depend WHERE objid = ordinal_sequence AND deptype IN ('a', 'i')
           AND classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass) THEN
        RAISE EXCEPTION 'qbit_audit_publication_sequence_seq exists with another definition';
    END IF;

    ALTER TABLE qbit_pool_blocks ADD COLUMN IF NOT EXISTS audit_publication_sequence bigint;
    SELECT a.atttypid, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated INTO found_column
      FROM pg_attribute a
     WHERE a.attrelid = blocks AND a.attname = 'audit_publication_sequence' AND NOT a.attisdropped;
    IF found_column.atttypid <> 'bigint'::regtype OR found_column.attnotnull OR found_column.atthasdef
       OR found_column.attidentity <> '' OR found_column.attgenerated <> '' THEN
        RAISE EXCEPTION 'qbit_pool_blocks.audit_publication_sequence exists with another definition';
    END IF;

    LOCK TABLE qbit_pool_blocks IN SHARE ROW EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM qbit_pool_blocks WHERE audit_publication_sequence <= 0) THEN
        RAISE EXCEPTION 'qbit_pool_blocks holds a publication ordinal below 1';
    END IF;
    IF EXISTS (
        SELECT FROM qbit_pool_blocks WHERE audit_publication_sequence IS NOT NULL
         GROUP BY audit_publication_sequence HAVING count(*) > 1) THEN
        RAISE EXCEPTION 'qbit_pool_blocks holds a publication ordinal twice';
    END IF;

    SELECT CASE WHEN is_called THEN last_value::numeric + 1 ELSE last_value END INTO next_ordinal
      FROM qbit_audit_publication_sequence_seq;
    SELECT greatest(next_ordinal, coalesce(max(audit_publication_sequence), 0)::numeric + 1) INTO next_ordinal
      FROM qbit_pool_blocks;
    SELECT count(*) INTO unnumbered FROM qbit_pool_blocks
     WHERE chain_state IN ('confirmed', 'inactive') AND audit_publication_sequence IS NULL;
    IF next_ordinal + unnumbered - 1 > 9223372036854775807 THEN
        RAISE EXCEPTION 'publication ordinals are exhausted';
    END IF;
    UPDATE qbit_pool_blocks b
       SET audit_publication_sequence = next_ordinal::bigint + numbered.position - 1
      FROM (SELECT block_hash, row_number() OVER (ORDER BY found_at, block_hash) AS position
              FROM qbit_pool_blocks
             WHERE chain_state IN ('confirmed', 'inactive') AND audit_publication_sequence IS NULL) AS numbered
     WHERE b.block_hash = numbered.block_hash;

    IF NOT EXISTS (
        SELECT FROM pg_class WHERE relname = 'qbit_pool_blocks_audit_publication_sequence_idx'
           AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = blocks)) THEN
        CREATE UNIQUE INDEX qbit_pool_blocks_audit_publication_sequence_idx
            ON qbit_pool_blocks (audit_publication_sequence);
    END IF;
    IF NOT EXISTS (
        SELECT FROM pg_index i
         WHERE i.indexrelid = 'qbit_pool_blocks_audit_publication_sequence_idx'::regclass AND i.indrelid = blocks
           AND i.indisunique AND i.indisvalid AND NOT i.indnullsnotdistinct AND i.indnatts = 1
           AND i.indpred IS NULL AND i.indexprs IS NULL
           AND i.indkey[0] = (SELECT attnum FROM pg_attribute
                               WHERE attrelid = blocks AND attname = 'audit_publication_sequence')) THEN
        RAISE EXCEPTION 'qbit_pool_blocks_audit_publication_sequence_idx exists with another definition';
    END IF;

    IF NOT EXISTS (
        SELECT FROM pg_constraint
         WHERE conrelid = blocks AND conname = 'qbit_pool_blocks_audit_publication_sequence_check') THEN
        ALTER TABLE qbit_pool_blocks ADD CONSTRAINT qbit_pool_blocks_audit_publication_sequence_check CHECK (
            (audit_publication_sequence IS NULL OR audit_publication_sequence > 0)
            AND (chain_state <> 'confirmed' OR audit_publication_sequence IS NOT NULL)) NOT VALID;
    END IF;
    IF (SELECT pg_get_constraintdef(oid, true) NOT LIKE
            'CHECK ((audit_publication_sequence IS NULL OR audit_publication_sequence > 0) AND '
            || '(chain_state <> ''confirmed''::text OR audit_publication_sequence IS NOT NULL))%'
          FROM pg_constraint
         WHERE conrelid = blocks AND conname = 'qbit_pool_blocks_audit_publication_sequence_check') THEN
        RAISE EXCEPTION 'qbit_pool_blocks_audit_publication_sequence_check exists with another definition';
    END IF;
    ALTER TABLE qbit_pool_blocks VALIDATE CONSTRAINT qbit_pool_blocks_audit_publication_sequence_check;
END $$;

-- Writer-fenced block transitions -----------------------------------------------------------------------------------------

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

    UPDATE qbit_pool_blocks
       SET chain_state = 'confirmed',
           audit_publication_sequence = nextval('qbit_audit_publication_sequence_seq')
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

CREATE OR REPLACE FUNCTION qbit_mark_pool_block_inactive(
    disconnected_block_hash text, active_tip_height bigint, active_writer_id text, active_writer_epoch bigint,
    active_writer_session_token text, lease_duration interval DEFAULT interval '5 minutes'
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    changed integer;
BEGIN
    UPDATE qbit_ledger_writer_lease
       SET lease_expires_at = clock_timestamp() + lease_duration, updated_at = clock_timestamp()
     WHERE singleton AND writer_id = active_writer_id AND writer_epoch = active_writer_epoch
       AND writer_session_token = active_writer_session_token;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'writer lease is not active';
    END IF;

    IF EXISTS (
        SELECT FROM qbit_pool_blocks
         WHERE block_hash = disconnected_block_hash AND chain_state IN ('confirmed', 'inactive')
           AND maturity_state = 'mature') THEN
        RAISE EXCEPTION 'refusing to mark mature pool block inactive %', disconnected_block_hash;
    END IF;
    UPDATE qbit_pool_blocks SET chain_state = 'inactive'
     WHERE block_hash = disconnected_block_hash AND chain_state = 'confirmed' AND maturity_state = 'immature';
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END;
$$;

CREATE OR REPLACE FUNCTION qbit_reactivate_pool_block(
    reconnected_block_hash text, active_tip_height bigint, active_writer_id text, active_writer_epoch bigint,
    active_writer_session_token text, lease_duration interval DEFAULT interval '5 minutes'
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    changed integer;
BEGIN
    UPDATE qbit_ledger_writer_lease
       SET lease_expires_at = clock_timestamp() + lease_duration, updated_at = clock_timestamp()
     WHERE singleton AND writer_id = active_writer_id AND writer_epoch = active_writer_epoch
       AND writer_session_token = active_writer_session_token;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'writer lease is not active';
    END IF;

    UPDATE qbit_pool_blocks SET chain_state = 'confirmed'
     WHERE block_hash = reconnected_block_hash AND chain_state = 'inactive' AND maturity_state = 'immature'
       AND block_height <= active_tip_height;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END;
$$;

DO $$
BEGIN
    -- Both allocate or keep ordinals: they may resolve names in the install schema only.
    EXECUTE format('ALTER FUNCTION qbit_confirm_pool_block(text, bigint, text, bigint, text, interval) '
        || 'SET search_path = pg_catalog, %I, pg_temp', current_schema());
    EXECUTE format('ALTER FUNCTION qbit_reactivate_pool_block(text, bigint, text, bigint, text, interval) '
        || 'SET search_path = pg_catalog, %I, pg_temp', current_schema());
END $$;

CREATE OR REPLACE FUNCTION qbit_reject_prepared_pool_block(
    rejected_block_hash text, active_tip_height bigint, active_writer_id text, active_writer_epoch bigint,
    active_writer_session_token text, lease_duration interval DEFAULT interval '5 minutes'
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    touched integer;
    total integer;
BEGIN
    UPDATE qbit_ledger_writer_lease
       SET lease_expires_at = clock_timestamp() + lease_duration, updated_at = clock_timestamp()
     WHERE singleton AND writer_id = active_writer_id AND writer_epoch = active_writer_epoch
       AND writer_session_token = active_writer_session_token;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'writer lease is not active';
    END IF;

    UPDATE qbit_pool_blocks
       SET chain_state = 'rejected', maturity_state = 'reversed', disconnected_at = clock_timestamp()
     WHERE block_hash = rejected_block_hash AND chain_state = 'prepared' AND maturity_state = 'immature';
    GET DIAGNOSTICS total = ROW_COUNT;
    IF total = 0 THEN
        RETURN 0;
    END IF;
    UPDATE qbit_pool_payout_entries SET maturity_state = 'reversed'
     WHERE block_hash = rejected_block_hash AND maturity_state = 'immature';
    GET DIAGNOSTICS touched = ROW_COUNT;
    total := total + touched;
    UPDATE qbit_payout_carry_forward SET maturity_state = 'reversed'
     WHERE block_hash = rejected_block_hash AND maturity_state = 'immature';
    GET DIAGNOSTICS touched = ROW_COUNT;
    total := total + touched;
    UPDATE qbit_ctv_fanout_artifacts SET settlement_status = 'reorged', updated_at = clock_timestamp()
     WHERE block_hash = rejected_block_hash AND settlement_status <> 'confirmed';
    GET DIAGNOSTICS touched = ROW_COUNT;
    RETURN total + touched;
END;
$$;

CREATE OR REPLACE FUNCTION qbit_reverse_immature_pool_block(
    disconnected_block_hash text, active_tip_height bigint, active_writer_id text, active_writer_epoch bigint,
    active_writer_session_token text, lease_duration interval DEFAULT interval '5 minutes'
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    touched integer;
    total integer;
BEGIN
    UPDATE qbit_ledger_writer_lease
       SET lease_expires_at = clock_timestamp() + lease_duration, updated_at = clock_timestamp()
     WHERE singleton AND writer_id = active_writer_id AND writer_epoch = active_writer_epoch
       AND writer_session_token = active_writer_session_token;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'writer lease is not active';
    END IF;

    IF EXISTS (
        SELECT FROM qbit_pool_blocks
         WHERE block_hash = disconnected_block_hash AND chain_state IN ('confirmed', 'inactive')
           AND (maturity_state = 'mature' OR active_tip_height >= block_height + 1000)) THEN
        RAISE EXCEPTION 'refusing to reverse mature pool block %', disconnected_block_hash;
    END IF;
    UPDATE qbit_pool_blocks
       SET chain_state = 'reversed', maturity_state = 'reversed', disconnected_at = clock_timestamp()
     WHERE block_hash = disconnected_block_hash AND chain_state IN ('prepared', 'confirmed', 'inactive')
       AND maturity_state = 'immature';
    GET DIAGNOSTICS total = ROW_COUNT;
    UPDATE qbit_pool_payout_entries SET maturity_state = 'reversed'
     WHERE block_hash = disconnected_block_hash AND maturity_state = 'immature';
    GET DIAGNOSTICS touched = ROW_COUNT;
    total := total + touched;
    UPDATE qbit_payout_carry_forward SET maturity_state = 'reversed'
     WHERE block_hash = disconnected_block_hash AND maturity_state = 'immature';
    GET DIAGNOSTICS touched = ROW_COUNT;
    total := total + touched;
    UPDATE qbit_ctv_fanout_artifacts SET settlement_status = 'reorged', updated_at = clock_timestamp()
     WHERE block_hash = disconnected_block_hash AND settlement_status <> 'confirmed';
    GET DIAGNOSTICS touched = ROW_COUNT;
    RETURN total + touched;
END;
$$;

CREATE OR REPLACE FUNCTION qbit_mark_mature_pool_payouts(active_tip_height bigint)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    matured integer;
BEGIN
    UPDATE qbit_pool_blocks SET maturity_state = 'mature', matured_at = clock_timestamp()
     WHERE chain_state = 'confirmed' AND maturity_state = 'immature' AND block_height <= active_tip_height - 1000;
    UPDATE qbit_pool_payout_entries e SET maturity_state = 'mature'
      FROM qbit_pool_blocks b
     WHERE b.block_hash = e.block_hash AND b.chain_state = 'confirmed'
       AND e.maturity_state = 'immature' AND e.block_height <= active_tip_height - 1000;
    GET DIAGNOSTICS matured = ROW_COUNT;
    UPDATE qbit_payout_carry_forward c SET maturity_state = 'mature'
      FROM qbit_pool_blocks b
     WHERE b.block_hash = c.block_hash AND b.chain_state = 'confirmed'
       AND c.maturity_state = 'immature' AND c.block_height <= active_tip_height - 1000;
    UPDATE qbit_ctv_fanout_artifacts a SET settlement_status = 'broadcastable', updated_at = clock_timestamp()
      FROM qbit_pool_blocks b
     WHERE b.block_hash = a.block_hash AND b.chain_state = 'confirmed' AND b.maturity_state = 'mature'
       AND a.settlement_status = 'awaiting_maturity';
    RETURN matured;
END;
$$;

-- Publication ordinal for writers that only know the state column ------------------------------------------------------------

CREATE OR REPLACE FUNCTION qbit_pool_blocks_assign_publication_ordinal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.chain_state = 'confirmed' AND NEW.audit_publication_sequence IS NULL THEN
        NEW.audit_publication_sequence := nextval('qbit_audit_publication_sequence_seq');
    END IF;
    RETURN NEW;
END;
$$;

CREATE OR REPLACE TRIGGER qbit_pool_blocks_assign_publication_ordinal
    BEFORE INSERT OR UPDATE ON qbit_pool_blocks
    FOR EACH ROW EXECUTE FUNCTION qbit_pool_blocks_assign_publication_ordinal();

-- Windows -------------------------------------------------------------------------------------------------------------------

DROP FUNCTION IF EXISTS qbit_audit_share_window(timestamptz, numeric);
DROP FUNCTION IF EXISTS qbit_prism_window(timestamptz, numeric);

-- Walks pages of 4096 rows from the newest share down until the weight is covered, then ranks that tail once. The cut
-- is a scalar subquery, so that it bounds the index scan; the walk may stop early because difficulties are positive.
CREATE FUNCTION qbit_prism_window(anchor_job_issued_at timestamptz, window_weight numeric)
RETURNS TABLE (
    share_seq bigint, share_id text, miner_id text, payout_order_key text, p2mr_program bytea, share_difficulty numeric,
    counted_difficulty numeric, job_issued_at timestamptz, accepted_at timestamptz, credit_policy text
) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE pages (lowest_seq, covered) AS (
        SELECT 9223372036854775807::bigint, 0::numeric
        UNION ALL
        SELECT page.lowest_seq, pages.covered + page.work
          FROM pages
         CROSS JOIN LATERAL (
            SELECT min(tail.share_seq) AS lowest_seq, sum(tail.share_difficulty) AS work
              FROM (SELECT s.share_seq, s.share_difficulty
                      FROM qbit_share_ledger s
                     WHERE s.accepted AND s.share_seq < pages.lowest_seq
                       AND s.job_issued_at <= anchor_job_issued_at AND s.accepted_at <= anchor_job_issued_at
                     ORDER BY s.share_seq DESC
                     LIMIT 4096) AS tail
         ) AS page
         WHERE pages.covered < window_weight AND page.lowest_seq IS NOT NULL
    ), ranked AS (
        SELECT s.share_seq, s.share_id, s.miner_id, s.payout_order_key, s.p2mr_program, s.share_difficulty,
               s.job_issued_at, s.accepted_at, s.credit_policy,
               sum(s.share_difficulty) OVER (ORDER BY s.share_seq DESC ROWS UNBOUNDED PRECEDING) AS reached
          FROM qbit_share_ledger s
         WHERE s.accepted AND s.share_seq >= (SELECT min(lowest_seq) FROM pages)
           AND s.job_issued_at <= anchor_job_issued_at AND s.accepted_at <= anchor_job_issued_at
    )
    SELECT r.share_seq, r.share_id, r.miner_id, r.payout_order_key, r.p2mr_program, r.share_difficulty,
           r.share_difficulty - greatest(r.reached - window_weight, 0),
           r.job_issued_at, r.accepted_at, r.credit_policy
      FROM ranked r
     WHERE r.reached - r.share_difficulty < window_weight
     ORDER BY r.share_seq DESC
$$;

CREATE FUNCTION qbit_audit_share_window(anchor_job_issued_at timestamptz, network_difficulty numeric)
RETURNS TABLE (
    window_multiplier numeric, requested_window_weight numeric, share_seq bigint, share_id text, miner_id text,
    payout_order_key text, p2mr_program bytea, share_difficulty numeric, counted_difficulty numeric,
    job_issued_at timestamptz, accepted_at timestamptz, credit_policy text
) LANGUAGE sql STABLE AS $$
    SELECT 8::numeric, 8::numeric * network_difficulty, w.share_seq, w.share_id, w.miner_id, w.payout_order_key,
           w.p2mr_program, w.share_difficulty, w.counted_difficulty, w.job_issued_at, w.accepted_at, w.credit_policy
      FROM qbit_prism_window(anchor_job_issued_at, 8::numeric * network_difficulty) AS w
     ORDER BY w.share_seq DESC
$$;

CREATE OR REPLACE FUNCTION qbit_shares_since_template_height(min_template_height bigint)
RETURNS SETOF qbit_share_ledger LANGUAGE sql STABLE AS $$
    SELECT s.* FROM qbit_share_ledger s
     WHERE s.accepted AND s.template_height >= min_template_height
     ORDER BY s.share_seq
$$;

-- Balances ------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION qbit_pool_block_counts_for_carry(target_block_hash text)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM qbit_pool_blocks b
         WHERE b.block_hash = target_block_hash AND b.chain_state = 'confirmed' AND b.maturity_state <> 'reversed')
$$;

-- Update first: an INSERT .. ON CONFLICT would trip the row-count check on a negative delta before it met the conflict.
CREATE OR REPLACE FUNCTION qbit_carry_forward_current_apply_delta(
    target_miner_id text, target_payout_order_key text, target_p2mr_program bytea, delta_balance_sats numeric,
    delta_active_rows bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    LOOP
        UPDATE qbit_payout_carry_forward_current
           SET balance_sats = balance_sats + delta_balance_sats,
               active_row_count = active_row_count + delta_active_rows,
               updated_at = clock_timestamp()
         WHERE miner_id = target_miner_id AND payout_order_key = target_payout_order_key
           AND p2mr_program = target_p2mr_program;
        EXIT WHEN FOUND;
        BEGIN
            INSERT INTO qbit_payout_carry_forward_current
                (miner_id, payout_order_key, p2mr_program, balance_sats, active_row_count)
            VALUES (target_miner_id, target_payout_order_key, target_p2mr_program, delta_balance_sats,
                delta_active_rows);
            EXIT;
        EXCEPTION WHEN unique_violation THEN
            CONTINUE; -- another transaction created the partition in between
        END;
    END LOOP;
END;
$$;

CREATE OR REPLACE FUNCTION qbit_payout_carry_forward_current_row_sync() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.miner_id = OLD.miner_id AND NEW.payout_order_key = OLD.payout_order_key
       AND NEW.p2mr_program = OLD.p2mr_program AND NEW.block_hash IS NOT DISTINCT FROM OLD.block_hash
       AND NEW.gross_amount_sats = OLD.gross_amount_sats AND NEW.onchain_amount_sats = OLD.onchain_amount_sats
       AND (NEW.maturity_state = 'reversed') = (OLD.maturity_state = 'reversed') THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        IF OLD.maturity_state <> 'reversed' AND qbit_pool_block_counts_for_carry(OLD.block_hash) THEN
            PERFORM qbit_carry_forward_current_apply_delta(OLD.miner_id, OLD.payout_order_key, OLD.p2mr_program,
                OLD.onchain_amount_sats::numeric - OLD.gross_amount_sats, -1);
        END IF;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        IF NEW.maturity_state <> 'reversed' AND qbit_pool_block_counts_for_carry(NEW.block_hash) THEN
            PERFORM qbit_carry_forward_current_apply_delta(NEW.miner_id, NEW.payout_order_key, NEW.p2mr_program,
                NEW.gross_amount_sats::numeric - NEW.onchain_amount_sats, 1);
        END IF;
    END IF;
    RETURN NULL;
END;
$$;

CREATE OR REPLACE FUNCTION qbit_pool_blocks_carry_forward_current_sync() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counted_before boolean := false;
    counts_now boolean := false;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        counted_before := OLD.chain_state = 'confirmed' AND OLD.maturity_state <> 'reversed';
    END IF;
    IF TG_OP <> 'DELETE' THEN
        counts_now := NEW.chain_state = 'confirmed' AND NEW.maturity_state <> 'reversed';
    END IF;
    IF TG_OP = 'UPDATE' AND counted_before = counts_now AND NEW.block_hash = OLD.block_hash THEN
        RETURN NULL;
    END IF;
    -- Partitions are touched in key order, so that two blocks changing at once cannot deadlock.
    IF counted_before THEN
        PERFORM qbit_carry_forward_current_apply_delta(d.miner_id, d.payout_order_key, d.p2mr_program,
                -d.balance, -d.row_count)
           FROM (SELECT c.miner_id, c.payout_order_key, c.p2mr_program, count(*) AS row_count,
                        sum(c.gross_amount_sats::numeric - c.onchain_amount_sats) AS balance
                   FROM qbit_payout_carry_forward c
                  WHERE c.block_hash = OLD.block_hash AND c.maturity_state <> 'reversed'
                  GROUP BY c.miner_id, c.payout_order_key, c.p2mr_program
                  ORDER BY c.miner_id, c.payout_order_key, c.p2mr_program) AS d;
    END IF;
    IF counts_now THEN
        PERFORM qbit_carry_forward_current_apply_delta(d.miner_id, d.payout_order_key, d.p2mr_program,
                d.balance, d.row_count)
           FROM (SELECT c.miner_id, c.payout_order_key, c.p2mr_program, count(*) AS row_count,
                        sum(c.gross_amount_sats::numeric - c.onchain_amount_sats) AS balance
                   FROM qbit_payout_carry_forward c
                  WHERE c.block_hash = NEW.block_hash AND c.maturity_state <> 'reversed'
                  GROUP BY c.miner_id, c.payout_order_key, c.p2mr_program
                  ORDER BY c.miner_id, c.payout_order_key, c.p2mr_program) AS d;
    END IF;
    RETURN NULL;
END;
$$;

CREATE OR REPLACE FUNCTION qbit_rebuild_carry_forward_current_balances() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    written bigint;
BEGIN
    LOCK TABLE qbit_payout_carry_forward_current IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM qbit_payout_carry_forward_current;
    INSERT INTO qbit_payout_carry_forward_current
        (miner_id, payout_order_key, p2mr_program, balance_sats, active_row_count)
    SELECT c.miner_id, c.payout_order_key, c.p2mr_program,
           sum(c.gross_amount_sats::numeric - c.onchain_amount_sats), count(*)
      FROM qbit_payout_carry_forward c
      JOIN qbit_pool_blocks b ON b.block_hash = c.block_hash
     WHERE c.maturity_state <> 'reversed' AND b.chain_state = 'confirmed' AND b.maturity_state <> 'reversed'
     GROUP BY c.miner_id, c.payout_order_key, c.p2mr_program;
    GET DIAGNOSTICS written = ROW_COUNT;
    RETURN written;
END;
$$;

CREATE OR REPLACE FUNCTION qbit_carry_forward_current_truncate_sync() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM qbit_rebuild_carry_forward_current_balances();
    RETURN NULL;
END;
$$;

CREATE OR REPLACE TRIGGER qbit_payout_carry_forward_current_sync
    AFTER INSERT OR UPDATE OR DELETE ON qbit_payout_carry_forward
    FOR EACH ROW EXECUTE FUNCTION qbit_payout_carry_forward_current_row_sync();
CREATE OR REPLACE TRIGGER qbit_payout_carry_forward_current_truncate_sync
    AFTER TRUNCATE ON qbit_payout_carry_forward
    FOR EACH STATEMENT EXECUTE FUNCTION qbit_carry_forward_current_truncate_sync();
CREATE OR REPLACE TRIGGER qbit_pool_blocks_carry_forward_current_sync
    AFTER INSERT OR UPDATE OR DELETE ON qbit_pool_blocks
    FOR EACH ROW EXECUTE FUNCTION qbit_pool_blocks_carry_forward_current_sync();
CREATE OR REPLACE TRIGGER qbit_pool_blocks_carry_forward_current_truncate_sync
    AFTER TRUNCATE ON qbit_pool_blocks
    FOR EACH STATEMENT EXECUTE FUNCTION qbit_carry_forward_current_truncate_sync();

CREATE OR REPLACE FUNCTION qbit_current_carry_forward_balances()
RETURNS TABLE (miner_id text, payout_order_key text, p2mr_program bytea, balance_sats numeric)
LANGUAGE sql STABLE AS $$
    SELECT g.miner_id, g.payout_order_key, g.p2mr_program, g.balance_sats
      FROM (SELECT (array_agg(c.miner_id ORDER BY c.payout_order_key, c.miner_id))[1] AS miner_id,
                   (array_agg(c.payout_order_key ORDER BY c.payout_order_key, c.miner_id))[1] AS payout_order_key,
                   c.p2mr_program, sum(c.balance_sats) AS balance_sats
              FROM qbit_payout_carry_forward_current c
             WHERE c.active_row_count > 0
             GROUP BY c.p2mr_program) AS g
     WHERE g.balance_sats <> 0
     ORDER BY g.payout_order_key, g.miner_id, g.p2mr_program
$$;

CREATE OR REPLACE FUNCTION qbit_recomputed_carry_forward_balances()
RETURNS TABLE (miner_id text, payout_order_key text, p2mr_program bytea, balance_sats numeric)
LANGUAGE sql STABLE AS $$
    SELECT g.miner_id, g.payout_order_key, g.p2mr_program, g.balance_sats
      FROM (SELECT (array_agg(c.miner_id ORDER BY c.payout_order_key, c.miner_id))[1] AS miner_id,
                   (array_agg(c.payout_order_key ORDER BY c.payout_order_key, c.miner_id))[1] AS payout_order_key,
                   c.p2mr_program, sum(c.gross_amount_sats::numeric - c.onchain_amount_sats) AS balance_sats
              FROM qbit_payout_carry_forward c
              JOIN qbit_pool_blocks b ON b.block_hash = c.block_hash
             WHERE c.maturity_state <> 'reversed' AND b.chain_state = 'confirmed' AND b.maturity_state <> 'reversed'
             GROUP BY c.p2mr_program) AS g
     WHERE g.balance_sats <> 0
     ORDER BY g.payout_order_key, g.miner_id, g.p2mr_program
$$;

CREATE OR REPLACE FUNCTION qbit_carry_forward_current_drift()
RETURNS TABLE (
    p2mr_program bytea, current_miner_id text, current_payout_order_key text, current_balance_sats numeric,
    recomputed_miner_id text, recomputed_payout_order_key text, recomputed_balance_sats numeric
) LANGUAGE sql STABLE AS $$
    SELECT coalesce(c.p2mr_program, r.p2mr_program), c.miner_id, c.payout_order_key, c.balance_sats,
           r.miner_id, r.payout_order_key, r.balance_sats
      FROM qbit_current_carry_forward_balances() c
      FULL JOIN qbit_recomputed_carry_forward_balances() r ON r.p2mr_program = c.p2mr_program
     WHERE (c.miner_id, c.payout_order_key, c.balance_sats)
           IS DISTINCT FROM (r.miner_id, r.payout_order_key, r.balance_sats)
     ORDER BY 1
$$;

CREATE OR REPLACE FUNCTION qbit_current_owed_balances()
RETURNS TABLE (miner_id text, payout_order_key text, p2mr_program bytea, owed_balance_sats numeric)
LANGUAGE sql STABLE AS $$
    SELECT c.miner_id, c.payout_order_key, c.p2mr_program, greatest(c.balance_sats, 0)
      FROM qbit_current_carry_forward_balances() c
     ORDER BY c.payout_order_key, c.miner_id, c.p2mr_program
$$;

CREATE OR REPLACE FUNCTION qbit_carry_forward_integrity_mismatches()
RETURNS TABLE (
    carry_forward_seq bigint, block_hash text, block_height bigint, miner_id text, payout_order_key text,
    p2mr_program bytea, prior_balance_sats numeric, expected_prior_balance_sats numeric, gross_amount_sats bigint,
    candidate_balance_sats numeric, expected_candidate_balance_sats numeric, onchain_amount_sats bigint,
    settlement_fee_sats bigint, carry_forward_balance_sats numeric, expected_carry_forward_balance_sats numeric,
    action text, mismatch_reason text
) LANGUAGE sql STABLE AS $$
    WITH chained AS (
        SELECT c.*, coalesce(sum(c.gross_amount_sats::numeric - c.onchain_amount_sats) OVER (
                   PARTITION BY c.miner_id, c.payout_order_key, c.p2mr_program
                   ORDER BY c.block_height, c.carry_forward_seq
                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected_prior
          FROM qbit_payout_carry_forward c
          JOIN qbit_pool_blocks b ON b.block_hash = c.block_hash
         WHERE c.maturity_state <> 'reversed' AND b.chain_state = 'confirmed' AND b.maturity_state <> 'reversed'
    ), judged AS (
        SELECT h.*, h.expected_prior + h.gross_amount_sats AS expected_candidate,
               h.expected_prior + h.gross_amount_sats - h.onchain_amount_sats AS expected_carry
          FROM chained h
    )
    SELECT j.carry_forward_seq, j.block_hash, j.block_height, j.miner_id, j.payout_order_key, j.p2mr_program,
           j.prior_balance_sats, j.expected_prior, j.gross_amount_sats, j.candidate_balance_sats, j.expected_candidate,
           j.onchain_amount_sats, j.settlement_fee_sats, j.carry_forward_balance_sats, j.expected_carry, j.action,
           concat_ws(',',
               CASE WHEN j.prior_balance_sats <> j.expected_prior THEN 'prior_balance' END,
               CASE WHEN j.candidate_balance_sats <> j.expected_candidate THEN 'candidate_balance' END,
               CASE WHEN j.carry_forward_balance_sats <> j.expected_carry THEN 'carry_forward_balance' END)
      FROM judged j
     WHERE j.prior_balance_sats <> j.expected_prior OR j.candidate_balance_sats <> j.expected_candidate
        OR j.carry_forward_balance_sats <> j.expected_carry
     ORDER BY j.block_height, j.carry_forward_seq
$$;

CREATE OR REPLACE FUNCTION qbit_carry_forward_integrity_report() RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'schema', 'qbit.prism.carry-forward-integrity.v1',
        'checked_active_rows', (
            SELECT count(*) FROM qbit_payout_carry_forward c
              JOIN qbit_pool_blocks b ON b.block_hash = c.block_hash
             WHERE c.maturity_state <> 'reversed' AND b.chain_state = 'confirmed' AND b.maturity_state <> 'reversed'),
        'mismatch_count', (SELECT count(*) FROM qbit_carry_forward_integrity_mismatches()),
        'mismatches', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'carry_forward_seq', m.carry_forward_seq, 'block_hash', m.block_hash, 'block_height', m.block_height,
                'recipient_id', m.miner_id, 'order_key', m.payout_order_key,
                'p2mr_program_hex', encode(m.p2mr_program, 'hex'),
                'prior_balance_sats', m.prior_balance_sats::text,
                'expected_prior_balance_sats', m.expected_prior_balance_sats::text,
                'gross_amount_sats', m.gross_amount_sats,
                'candidate_balance_sats', m.candidate_balance_sats::text,
                'expected_candidate_balance_sats', m.expected_candidate_balance_sats::text,
                'onchain_amount_sats', m.onchain_amount_sats, 'settlement_fee_sats', m.settlement_fee_sats,
                'carry_forward_balance_sats', m.carry_forward_balance_sats::text,
                'expected_carry_forward_balance_sats', m.expected_carry_forward_balance_sats::text,
                'action', m.action, 'mismatch_reason', m.mismatch_reason)
                ORDER BY m.block_height, m.carry_forward_seq), '[]'::jsonb)
              FROM qbit_carry_forward_integrity_mismatches() m),
        'current_drift_count', (SELECT count(*) FROM qbit_carry_forward_current_drift()),
        'current_drift', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'p2mr_program_hex', encode(d.p2mr_program, 'hex'),
                'current_recipient_id', d.current_miner_id, 'current_order_key', d.current_payout_order_key,
                'current_balance_sats', d.current_balance_sats::text,
                'recomputed_recipient_id', d.recomputed_miner_id,
                'recomputed_order_key', d.recomputed_payout_order_key,
                'recomputed_balance_sats', d.recomputed_balance_sats::text)
                ORDER BY d.p2mr_program), '[]'::jsonb)
              FROM qbit_carry_forward_current_drift() d))
$$;

-- Audit documents ---------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION qbit_audit_block_payouts(target_block_hash text)
RETURNS TABLE (
    block_hash text, block_height bigint, coinbase_txid text, payout_manifest_sha256 text, chain_state text,
    miner_id text, payout_order_key text, p2mr_program bytea, onchain_amount_sats bigint,
    carry_forward_balance_sats numeric, action text, maturity_state text
) LANGUAGE sql STABLE AS $$
    SELECT b.block_hash, b.block_height, b.coinbase_txid, b.payout_manifest_sha256, b.chain_state, e.miner_id,
           e.payout_order_key, e.p2mr_program, e.onchain_amount_sats, e.carry_forward_balance_sats, e.action,
           e.maturity_state
      FROM qbit_pool_payout_entries e
      JOIN qbit_pool_blocks b ON b.block_hash = e.block_hash
     WHERE e.block_hash = target_block_hash
     ORDER BY e.payout_order_key, e.miner_id, e.p2mr_program
$$;

CREATE OR REPLACE FUNCTION qbit_fanout_status(target_fanout_txid text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT to_jsonb(document) FROM (
        SELECT 'qbit.prism.ctv-fanout-status.v1' AS schema, a.fanout_txid, a.block_hash, b.block_height, b.parent_hash,
               b.chain_state, b.maturity_state, b.coinbase_txid, b.payout_manifest_sha256,
               (SELECT u.audit_bundle_sha256 FROM qbit_pool_audit_bundles u WHERE u.block_hash = a.block_hash)
                   AS audit_bundle_sha256,
               a.manifest_set_sha256, a.manifest_json, a.manifest, a.manifest_sha256, a.precommitment_sha256,
               a.ctv_hash, a.commitment_witness_leaf_hex, a.chunk_index, a.chunk_count, a.parent_coinbase_txid,
               a.parent_coinbase_vout, a.fanout_tx_template_hex, a.fanout_tx_hex, a.anchor_vout,
               a.covenant_output_value_sats, a.fanout_output_sum_sats, a.settlement_status, a.updated_at::text AS updated_at,
               a.broadcast_attempt_count, a.broadcast_attempt_detail_count,
               a.first_broadcast_attempt_at::text AS first_broadcast_attempt_at,
               a.last_broadcast_attempt_at::text AS last_broadcast_attempt_at, a.last_broadcast_attempt_status, a.last_broadcast_package_tx_hexes,
               a.last_broadcast_package_txids, a.last_broadcast_submit_result, a.last_broadcast_error,
               a.broadcast_attempt_status_counts, a.next_broadcast_attempt_at::text AS next_broadcast_attempt_at,
               a.broadcast_retry_backoff_seconds,
               jsonb_build_object(
                   'attempt_count', a.broadcast_attempt_count, 'detail_count', a.broadcast_attempt_detail_count,
                   'first_attempt_at', a.first_broadcast_attempt_at::text, 'last_attempt_at', a.last_broadcast_attempt_at::text,
                   'last_attempt_status', a.last_broadcast_attempt_status,
                   'last_package_tx_hexes', a.last_broadcast_package_tx_hexes,
                   'last_package_txids', a.last_broadcast_package_txids,
                   'last_submit_result', a.last_broadcast_submit_result, 'last_error', a.last_broadcast_error,
                   'status_counts', a.broadcast_attempt_status_counts,
                   'next_attempt_at', a.next_broadcast_attempt_at::text,
                   'retry_backoff_seconds', a.broadcast_retry_backoff_seconds) AS broadcast_attempt_summary,
               (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'attempt_seq', t.attempt_seq, 'attempted_at', t.attempted_at::text,
                       'attempt_status', t.attempt_status, 'package_tx_hexes', t.package_tx_hexes,
                       'package_txids', t.package_txids, 'submit_result', t.submit_result, 'error', t.error)
                       ORDER BY t.attempt_seq), '[]'::jsonb)
                  FROM qbit_ctv_fanout_broadcast_attempts t
                 WHERE t.fanout_txid = a.fanout_txid) AS broadcast_attempts
          FROM qbit_ctv_fanout_artifacts a
          JOIN qbit_pool_blocks b ON b.block_hash = a.block_hash
         WHERE a.fanout_txid = target_fanout_txid) AS document
$$;

CREATE OR REPLACE FUNCTION qbit_audit_block_fanouts(target_block_hash text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT to_jsonb(document) FROM (
        SELECT 'qbit.prism.ctv-fanout-recovery.v1' AS schema, b.block_hash, b.block_height, b.parent_hash, b.chain_state,
               b.maturity_state, b.coinbase_txid, b.payout_manifest_sha256,
               (SELECT u.audit_bundle_sha256 FROM qbit_pool_audit_bundles u WHERE u.block_hash = b.block_hash)
                   AS audit_bundle_sha256,
               f.manifest_set_sha256, f.manifest_set_json, f.settlement_mode, f.parent_coinbase_txid,
               f.parent_coinbase_tx_hex, f.fanout_count, f.fanout_output_sum_sats, f.covenant_output_value_sats,
               f.manifest_set,
               (SELECT coalesce(jsonb_agg(
                       qbit_fanout_status(a.fanout_txid) - ARRAY['schema', 'block_hash', 'block_height', 'parent_hash',
                           'chain_state', 'maturity_state', 'coinbase_txid', 'payout_manifest_sha256',
                           'audit_bundle_sha256', 'broadcast_attempts']
                       ORDER BY a.chunk_index), '[]'::jsonb)
                  FROM qbit_ctv_fanout_artifacts a
                 WHERE a.block_hash = b.block_hash) AS artifacts
          FROM qbit_ctv_fanout_sets f
          JOIN qbit_pool_blocks b ON b.block_hash = f.block_hash
         WHERE b.block_hash = target_block_hash) AS document
$$;

-- Summary seed: repaired whenever it disagrees with the journal, not only when it is empty ---------------------------------

DO $$
BEGIN
    IF (SELECT coalesce(sum(active_row_count), 0) FROM qbit_payout_carry_forward_current)
       <> (SELECT count(*) FROM qbit_payout_carry_forward c JOIN qbit_pool_blocks b ON b.block_hash = c.block_hash
            WHERE c.maturity_state <> 'reversed' AND b.chain_state = 'confirmed' AND b.maturity_state <> 'reversed')
       OR EXISTS (SELECT FROM qbit_carry_forward_current_drift()) THEN
        PERFORM qbit_rebuild_carry_forward_current_balances();
    END IF;
END $$;

-- Last, because a rollback does not take a sequence back.
DO $$
DECLARE
    highest bigint;
BEGIN
    SELECT max(audit_publication_sequence) INTO highest FROM qbit_pool_blocks;
    IF highest >= (SELECT CASE WHEN is_called THEN last_value::numeric + 1 ELSE last_value END
                     FROM qbit_audit_publication_sequence_seq) THEN
        PERFORM setval('qbit_audit_publication_sequence_seq', highest, true);
    END IF;
END $$;
