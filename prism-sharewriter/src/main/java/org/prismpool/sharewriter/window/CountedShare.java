package org.prismpool.sharewriter.window;

import java.math.BigInteger;
import org.prismpool.sharewriter.StoredShare;

/**
 * A share of a reward window with the part of its work that counts.
 *
 * @param stored the share
 * @param counted counted difficulty: the whole, or less for the oldest share, which crosses the window's end
 */
public record CountedShare(StoredShare stored, BigInteger counted) {}
