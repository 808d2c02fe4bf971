package org.prismpool.templates.rpc;

/** The node methods that the product calls, with what the client must know about each (spec 01 §5.3 and §5.5). */
public enum RpcMethod {
    /** Work for the next block. */
    GET_BLOCK_TEMPLATE("getblocktemplate", Kind.READ_LARGE),
    /** Hash of the tip. */
    GET_BEST_BLOCK_HASH("getbestblockhash", Kind.READ),
    /** Waits for another tip. */
    WAIT_FOR_NEW_BLOCK("waitfornewblock", Kind.WAIT),
    /** Height of the tip. */
    GET_BLOCK_COUNT("getblockcount", Kind.READ),
    /** Hash at a height of the active chain. */
    GET_BLOCK_HASH("getblockhash", Kind.READ),
    /** Header and confirmations of a block. */
    GET_BLOCK_HEADER("getblockheader", Kind.READ),
    /** A whole block. */
    GET_BLOCK("getblock", Kind.READ_LARGE),
    /** Chain name and progress. */
    GET_BLOCKCHAIN_INFO("getblockchaininfo", Kind.READ),
    /** Peers. */
    GET_NETWORK_INFO("getnetworkinfo", Kind.READ),
    /** Fee floors. */
    GET_MEMPOOL_INFO("getmempoolinfo", Kind.READ),
    /** Market fee rate. */
    ESTIMATE_SMART_FEE("estimatesmartfee", Kind.READ),
    /** Verdict on an address. */
    VALIDATE_ADDRESS("validateaddress", Kind.READ),
    /** Offers a block. */
    SUBMIT_BLOCK("submitblock", Kind.SUBMIT),
    /** A transaction by id. */
    GET_RAW_TRANSACTION("getrawtransaction", Kind.READ),
    /** Ids of the mempool. */
    GET_RAW_MEMPOOL("getrawmempool", Kind.READ_LARGE),
    /** An unspent output. */
    GET_TX_OUT("gettxout", Kind.READ),
    /** Unspent outputs of a wallet. */
    LIST_UNSPENT("listunspent", Kind.READ_LARGE),
    /** A fresh address of a wallet. */
    GET_NEW_ADDRESS("getnewaddress", Kind.MUTATING),
    /** An address of a wallet. */
    GET_ADDRESS_INFO("getaddressinfo", Kind.READ),
    /** Signs with a wallet. */
    SIGN_RAW_TRANSACTION_WITH_WALLET("signrawtransactionwithwallet", Kind.MUTATING),
    /** Broadcasts parent and child together. */
    SUBMIT_PACKAGE("submitpackage", Kind.MUTATING),
    /** Broadcasts one transaction. */
    SEND_RAW_TRANSACTION("sendrawtransaction", Kind.MUTATING);

    private static final int LARGE_LIMIT = 64 << 20;
    private static final int USUAL_LIMIT = 8 << 20;

    private final String wireName;
    private final Kind kind;

    RpcMethod(String wireName, Kind kind) {
        this.wireName = wireName;
        this.kind = kind;
    }

    /**
     * Returns the name on the wire.
     *
     * @return method name
     */
    public String wireName() {
        return wireName;
    }

    /**
     * Tells whether the call changes something at the node or in a wallet; such a call is sent at most once.
     *
     * @return true if a lost answer leaves the outcome unknown
     */
    public boolean mutating() {
        return kind == Kind.MUTATING || kind == Kind.SUBMIT;
    }

    /**
     * Returns the largest answer that is read.
     *
     * @return bytes
     */
    public int answerLimit() {
        return kind == Kind.READ_LARGE ? LARGE_LIMIT : USUAL_LIMIT;
    }

    Kind kind() {
        return kind;
    }

    /** How a method uses connections and answers. */
    enum Kind {
        READ,
        READ_LARGE,
        WAIT,
        MUTATING,
        SUBMIT
    }
}
