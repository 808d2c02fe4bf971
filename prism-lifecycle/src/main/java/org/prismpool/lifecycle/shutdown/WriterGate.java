package org.prismpool.lifecycle.shutdown;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Admission of writers over the shutdown's monitor. */
final class WriterGate implements WriterAdmission {

    private final ShutdownMonitor monitor;

    WriterGate(ShutdownMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public WriterTicket enter(WriterComponent component) {
        return monitor.locked(() -> admitEntered(component));
    }

    @Override
    public WriterTicket enter(WriterComponent component, Runnable onWaitSlice) {
        return monitor.locked(() -> admitEntered(component), onWaitSlice);
    }

    @Override
    public WriterTicket reserve(WriterComponent component) {
        return monitor.locked(() -> {
            admit(component, monitor.writers().holds(Thread.currentThread()));
            return new Ticket(component, Optional.empty());
        });
    }

    @Override
    public WriterTicket reserve(WriterComponent component, WriterTicket parent) {
        if (!(parent instanceof Ticket ticket) || !ticket.belongsTo(this)) {
            throw new IllegalArgumentException("ticket of another gate");
        }
        return monitor.locked(() -> {
            admit(component, parent.open());
            return new Ticket(component, Optional.empty());
        });
    }

    @Override
    public boolean closed() {
        return monitor.requested();
    }

    @Override
    public boolean hasActive(Set<WriterComponent> components) {
        return monitor.locked(() -> monitor.writers().anyOf(components));
    }

    private WriterTicket admitEntered(WriterComponent component) {
        Thread thread = Thread.currentThread();
        admit(component, monitor.writers().holds(thread));
        monitor.writers().addHolder(thread);
        return new Ticket(component, Optional.of(thread));
    }

    private void admit(WriterComponent component, boolean inherits) {
        ShutdownProgress progress = monitor.progress();
        if (progress.releaseClaimed()) {
            throw new ShutdownInProgressException(component, true);
        }
        if (progress.phase() != ShutdownPhase.RUNNING && !inherits) {
            throw new ShutdownInProgressException(component, false);
        }
        monitor.writers().add(component);
    }

    private boolean remove(Ticket ticket) {
        monitor.writers().remove(ticket.component());
        ticket.holder.ifPresent(monitor.writers()::removeHolder);
        return true;
    }

    /** One open piece of writing work. */
    private final class Ticket implements WriterTicket {

        private final WriterComponent component;
        private final Optional<Thread> holder; // the thread that later entries inherit on
        private final AtomicBoolean finished = new AtomicBoolean();

        private Ticket(WriterComponent component, Optional<Thread> holder) {
            this.component = component;
            this.holder = holder;
        }

        private boolean belongsTo(WriterGate gate) {
            return WriterGate.this == gate;
        }

        @Override
        public WriterComponent component() {
            return component;
        }

        @Override
        public boolean open() {
            return !finished.get();
        }

        @Override
        public void close() {
            if (finished.compareAndSet(false, true)) {
                monitor.change(() -> remove(this));
            }
        }
    }
}
