package org.prismpool.app.devnode.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Changes templates on their way out. A frozen template is answered whatever the tip is: the window in which a real node's
 * template and its best hash disagree. Thread-safe.
 */
public final class TemplateTamper {

    private final Object lock = new Object();
    private final List<Consumer<ObjectNode>> changes = new ArrayList<>();
    private boolean freezeNext;
    private Optional<ObjectNode> frozen = Optional.empty();

    /** Creates a tamper that changes nothing. */
    public TemplateTamper() {}

    /**
     * Leaves a field out.
     *
     * @param field name of a member of the template
     */
    public void omit(String field) {
        change(template -> template.remove(field));
    }

    /**
     * Replaces or adds a field.
     *
     * @param field name of a member of the template
     * @param value its new value
     */
    public void replace(String field, JsonNode value) {
        change(template -> template.set(field, value.deepCopy()));
    }

    /**
     * Changes every template.
     *
     * @param change applied to a template that nobody else sees; must be quick and call nothing
     */
    public void change(Consumer<ObjectNode> change) {
        synchronized (lock) {
            changes.add(change);
        }
    }

    /** Answers the template of the next call again and again, until {@link #clear}. */
    public void freeze() {
        synchronized (lock) {
            freezeNext = true;
        }
    }

    /** Forgets every change and the frozen template. */
    public void clear() {
        synchronized (lock) {
            changes.clear();
            freezeNext = false;
            frozen = Optional.empty();
        }
    }

    /**
     * Applies the changes.
     *
     * @param template a fresh template, changed in place
     * @return what to answer
     */
    public ObjectNode apply(ObjectNode template) {
        synchronized (lock) {
            if (frozen.isPresent()) {
                return frozen.get().deepCopy();
            }
            changes.forEach(change -> change.accept(template));
            if (freezeNext) {
                frozen = Optional.of(template.deepCopy());
            }
            return template;
        }
    }
}
