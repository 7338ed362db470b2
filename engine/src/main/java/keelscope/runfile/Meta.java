package keelscope.runfile;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** {@link RunInfo} as the rows of the table {@code meta}: a row a component, its name in snake_case. */
final class Meta {
    private Meta() {}

    static Map<String, String> entries(RunInfo info) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (RecordComponent component : RunInfo.class.getRecordComponents()) {
            try {
                entries.put(key(component), String.valueOf(component.getAccessor().invoke(info)));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("RunInfo." + component.getName() + " cannot be read.", e);
            }
        }
        return entries;
    }

    /**
     * The record of these entries; one that is missing is empty, 0 or NaN.
     *
     * @throws NumberFormatException with what is wrong if a number is none
     */
    static RunInfo info(Map<String, String> entries) {
        RecordComponent[] components = RunInfo.class.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            String key = key(components[i]);
            String text = entries.getOrDefault(key, "");
            try {
                values[i] = value(types[i], text);
            } catch (NumberFormatException e) {
                throw new NumberFormatException(key + " is '" + text + "', no number");
            }
        }
        try {
            return RunInfo.class.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("RunInfo cannot be made.", e);
        }
    }

    private static Object value(Class<?> type, String text) {
        if (type == String.class) {
            return text;
        } else if (type == int.class) {
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        } else if (type == long.class) {
            return text.isEmpty() ? 0L : Long.parseLong(text);
        } else if (type == double.class) {
            return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
        }
        throw new IllegalStateException("RunInfo has a component of type " + type + ", which meta cannot hold.");
    }

    private static String key(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
