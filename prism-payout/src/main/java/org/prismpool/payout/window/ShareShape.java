package org.prismpool.payout.window;

import java.util.Arrays;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectShape;

/** The members of one kind of share in their canonical order; all but the credit policy are mandatory. Immutable. */
final class ShareShape {

    private final ShareField[] fields;
    private final ObjectShape members;

    private ShareShape(ShareField[] fields) {
        this.fields = fields;
        this.members = ObjectShape.required(
                        Arrays.stream(fields).map(field -> field.json).toArray(Name[]::new))
                .except(ShareField.CREDIT_POLICY.json);
    }

    static ShareShape of(ShareField... fields) {
        return new ShareShape(fields.clone());
    }

    ObjectShape members() {
        return members;
    }

    ShareField field(int index) {
        return fields[index];
    }
}
