package org.prismpool.stratum.codec;

/** Says that a line is not JSON as this protocol reads it. Carries no stack trace: outsiders can cause it at will. */
final class JsonFault extends Exception {

    private static final long serialVersionUID = 1L;

    JsonFault(String detail) {
        super(detail, null, false, false);
    }
}
