-- Shape of release 0.1.2.3: before the candidate outbox.
DROP TABLE qbit_block_candidate_outbox;
