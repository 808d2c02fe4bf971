-- Shape of release 1.0.0: before the maintained balances.
DROP TRIGGER qbit_payout_carry_forward_current_sync ON qbit_payout_carry_forward;
DROP TRIGGER qbit_payout_carry_forward_current_truncate_sync ON qbit_payout_carry_forward;
DROP TRIGGER qbit_pool_blocks_carry_forward_current_sync ON qbit_pool_blocks;
DROP TRIGGER qbit_pool_blocks_carry_forward_current_truncate_sync ON qbit_pool_blocks;
DROP FUNCTION qbit_carry_forward_integrity_report();
DROP FUNCTION qbit_carry_forward_current_drift();
DROP FUNCTION qbit_recomputed_carry_forward_balances();
DROP FUNCTION qbit_payout_carry_forward_current_row_sync();
DROP FUNCTION qbit_pool_blocks_carry_forward_current_sync();
DROP FUNCTION qbit_carry_forward_current_truncate_sync();
DROP FUNCTION qbit_rebuild_carry_forward_current_balances();
DROP FUNCTION qbit_carry_forward_current_apply_delta(text, text, bytea, numeric, bigint);
DROP FUNCTION qbit_pool_block_counts_for_carry(text);
DROP TABLE qbit_payout_carry_forward_current;
