-- Shape of release 0.1.2: before credit policies, body lengths and broadcast bookkeeping.
DROP FUNCTION qbit_audit_share_window(timestamptz, numeric);
DROP FUNCTION qbit_prism_window(timestamptz, numeric);
CREATE FUNCTION qbit_prism_window(anchor_job_issued_at timestamptz, window_weight numeric)
RETURNS TABLE (share_seq bigint, share_id text) LANGUAGE sql STABLE AS $$
    SELECT share_seq, share_id FROM qbit_share_ledger ORDER BY 1 DESC
$$;
CREATE FUNCTION qbit_audit_share_window(anchor_job_issued_at timestamptz, network_difficulty numeric)
RETURNS TABLE (share_seq bigint, share_id text) LANGUAGE sql STABLE AS $$
    SELECT * FROM qbit_prism_window(anchor_job_issued_at, 8 * network_difficulty)
$$;
ALTER TABLE qbit_share_ledger DROP COLUMN credit_policy;
ALTER TABLE qbit_pool_audit_bundles DROP COLUMN audit_body_byte_len;
DROP INDEX qbit_ctv_fanout_artifacts_broadcast_candidate_idx;
ALTER TABLE qbit_ctv_fanout_artifacts
    DROP COLUMN broadcast_attempt_count, DROP COLUMN broadcast_attempt_detail_count,
    DROP COLUMN first_broadcast_attempt_at, DROP COLUMN last_broadcast_attempt_at,
    DROP COLUMN last_broadcast_attempt_status, DROP COLUMN last_broadcast_package_tx_hexes,
    DROP COLUMN last_broadcast_package_txids, DROP COLUMN last_broadcast_submit_result,
    DROP COLUMN last_broadcast_error, DROP COLUMN broadcast_attempt_status_counts,
    DROP COLUMN next_broadcast_attempt_at, DROP COLUMN broadcast_retry_backoff_seconds;
