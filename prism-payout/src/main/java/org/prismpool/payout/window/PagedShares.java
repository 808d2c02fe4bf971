package org.prismpool.payout.window;

import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;
import org.prismpool.payout.json.U128;

/**
 * Shares in ascending sequence, in pages of a fixed size that never change once full. Ordinals number the shares from 0
 * in the order they were appended. For one thread.
 */
final class PagedShares {

    private final Deque<SharePage> full = new ArrayDeque<>(); // oldest page first
    private final List<WindowShare> filling = new ArrayList<>(SharePage.SIZE); // ascending, newer than every page
    private final Set<String> ids = new HashSet<>();
    private final boolean keepEncoded;
    private U128 fillingWeight = U128.ZERO;
    private U128 weight = U128.ZERO;
    private long firstPageOrdinal; // ordinal of the oldest share of the oldest page, dropped or not
    private int droppedOfFirst; // shares of the oldest page, or of the filling one, that left
    private int size;

    PagedShares(boolean keepEncoded) {
        this.keepEncoded = keepEncoded;
    }

    int size() {
        return size;
    }

    /** Sum of all difficulties held; at most one share above sixteen times the difficulty while a snapshot is valid. */
    U128 weight() {
        return weight;
    }

    long oldestOrdinal() {
        return firstPageOrdinal + droppedOfFirst;
    }

    long endOrdinal() {
        return oldestOrdinal() + size;
    }

    long lastSeq() {
        return size == 0 ? 0 : newest().shareSeq();
    }

    boolean isAboveLast(long shareSeq) {
        return size == 0 || Long.compareUnsigned(shareSeq, lastSeq()) > 0;
    }

    WindowShare oldest() {
        SharePage page = full.peekFirst();
        return page == null
                ? filling.get(droppedOfFirst)
                : page.newestFirst[page.newestFirst.length - 1 - droppedOfFirst];
    }

    /** Appends a share; false if its id is held already. */
    boolean append(WindowShare share) {
        if (!ids.add(share.shareId())) {
            return false;
        }
        try {
            weight = weight.plus(share.shareDifficulty());
        } catch (ArithmeticException e) {
            throw new PayoutRuleException("window arithmetic overflowed");
        }
        fillingWeight = fillingWeight.plus(share.shareDifficulty());
        filling.add(share);
        size++;
        if (filling.size() == SharePage.SIZE) {
            full.addLast(new SharePage(reversed(filling, 0), fillingWeight, keepEncoded));
            filling.clear();
            fillingWeight = U128.ZERO;
        }
        return true;
    }

    /** Takes back the last appended shares. */
    void removeNewest(int count) {
        for (int i = 0; i < count; i++) {
            if (filling.isEmpty()) {
                SharePage page = full.removeLast();
                for (int at = page.newestFirst.length - 1; at >= 0; at--) {
                    filling.add(page.newestFirst[at]);
                }
                fillingWeight = page.weight;
            }
            WindowShare share = filling.remove(filling.size() - 1);
            fillingWeight = fillingWeight.minus(share.shareDifficulty());
            weight = weight.minus(share.shareDifficulty());
            ids.remove(share.shareId());
            size--;
        }
    }

    void removeOldest() {
        WindowShare share = oldest();
        weight = weight.minus(share.shareDifficulty());
        ids.remove(share.shareId());
        size--;
        droppedOfFirst++;
        if (!full.isEmpty() && droppedOfFirst == SharePage.SIZE) {
            full.removeFirst();
            firstPageOrdinal += SharePage.SIZE;
            droppedOfFirst = 0;
        }
    }

    /** Pages from the newest to the oldest; the last one may hold shares that were dropped. */
    List<SharePage> newestPages() {
        List<SharePage> pages = new ArrayList<>(full.size() + 1);
        if (!filling.isEmpty()) {
            pages.add(new SharePage(reversed(filling, 0), fillingWeight, false));
        }
        for (Iterator<SharePage> page = full.descendingIterator(); page.hasNext(); ) {
            pages.add(page.next());
        }
        return pages;
    }

    /** Calls the walker for every share of an ordinal range that is still held. */
    void walk(long from, long to, Walker walker) {
        long start = Math.max(from, oldestOrdinal());
        long pageOrdinal = firstPageOrdinal;
        for (SharePage page : full) {
            int length = page.newestFirst.length;
            for (long at = Math.max(start, pageOrdinal); at < Math.min(to, pageOrdinal + length); at++) {
                walker.visit(page.newestFirst[length - 1 - (int) (at - pageOrdinal)]);
            }
            pageOrdinal += length;
        }
        for (long at = Math.max(start, pageOrdinal); at < Math.min(to, pageOrdinal + filling.size()); at++) {
            walker.visit(filling.get((int) (at - pageOrdinal)));
        }
    }

    /** Takes one share of a walk. */
    @FunctionalInterface
    interface Walker {
        void visit(WindowShare share);
    }

    List<WindowShare> snapshot() {
        List<SharePage> oldestFirst = new ArrayList<>(full);
        if (!filling.isEmpty()) {
            oldestFirst.add(new SharePage(reversed(filling, 0), fillingWeight, false));
        }
        return new Ascending(oldestFirst, droppedOfFirst, size);
    }

    private WindowShare newest() {
        SharePage page = full.peekLast();
        if (filling.isEmpty() && page != null) {
            return page.newestFirst[0];
        }
        return filling.get(filling.size() - 1);
    }

    private static WindowShare[] reversed(List<WindowShare> ascending, int from) {
        int count = ascending.size() - from;
        WindowShare[] reversed = new WindowShare[count];
        for (int i = 0; i < count; i++) {
            reversed[i] = ascending.get(ascending.size() - 1 - i);
        }
        return reversed;
    }

    /** An immutable list over pages of which all but the last have the same size. */
    private static final class Ascending extends AbstractList<WindowShare> implements RandomAccess {

        private final List<SharePage> pages;
        private final int skipped;
        private final int size;

        Ascending(List<SharePage> pages, int skipped, int size) {
            this.pages = pages;
            this.skipped = skipped;
            this.size = size;
        }

        @Override
        public WindowShare get(int index) {
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException(index);
            }
            int at = index + skipped;
            WindowShare[] page = pages.get(at / SharePage.SIZE).newestFirst;
            return page[page.length - 1 - at % SharePage.SIZE];
        }

        @Override
        public int size() {
            return size;
        }
    }
}
