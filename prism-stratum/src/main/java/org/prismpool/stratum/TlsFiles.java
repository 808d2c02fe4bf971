package org.prismpool.stratum;

import java.nio.file.Path;

/**
 * Certificate chain and private key of a TLS listener, PEM files that are read again when they change.
 *
 * @param certificateChain PEM file, leaf certificate first
 * @param privateKey PEM file, PKCS#8, unencrypted
 */
public record TlsFiles(Path certificateChain, Path privateKey) {}
