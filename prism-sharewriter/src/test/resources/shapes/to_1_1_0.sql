-- Shape of release 1.1.0: before the publication ordinal.
ALTER TABLE qbit_pool_blocks DROP CONSTRAINT qbit_pool_blocks_audit_publication_sequence_check;
DROP TRIGGER qbit_pool_blocks_assign_publication_ordinal ON qbit_pool_blocks;
DROP FUNCTION qbit_pool_blocks_assign_publication_ordinal();
ALTER TABLE qbit_pool_blocks DROP COLUMN audit_publication_sequence;
DROP SEQUENCE qbit_audit_publication_sequence_seq;
ALTER FUNCTION qbit_confirm_pool_block(text, bigint, text, bigint, text, interval) RESET search_path;
ALTER FUNCTION qbit_reactivate_pool_block(text, bigint, text, bigint, text, interval) RESET search_path;
