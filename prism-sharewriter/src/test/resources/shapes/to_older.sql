-- Older still: unfenced functions, no session token, no chain state, no settlement fee, inline bodies only.
CREATE FUNCTION qbit_reverse_immature_pool_block(disconnected_block_hash text, active_tip_height bigint)
RETURNS integer LANGUAGE sql AS $$ SELECT 0 $$;
CREATE FUNCTION qbit_confirm_pool_block(a text, b bigint, c text, d bigint, e interval)
RETURNS integer LANGUAGE sql AS $$ SELECT 0 $$;
ALTER TABLE qbit_ledger_writer_lease ALTER COLUMN writer_session_token DROP NOT NULL;
UPDATE qbit_ledger_writer_lease SET writer_session_token = NULL;
ALTER TABLE qbit_ctv_fanout_artifacts ALTER COLUMN anchor_vout SET NOT NULL;
DROP FUNCTION qbit_carry_forward_integrity_mismatches();
ALTER TABLE qbit_payout_carry_forward DROP COLUMN settlement_fee_sats CASCADE;
ALTER TABLE qbit_pool_audit_bundles DROP CONSTRAINT qbit_pool_audit_bundles_body_present_check;
ALTER TABLE qbit_pool_audit_bundles DROP COLUMN body_uri;
