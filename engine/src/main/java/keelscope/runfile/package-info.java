/**
 * The run file: what one arm of an experiment recorded, written step by step by its engine and read, live or later, by
 * everything else. It is the only channel between an engine and the rest of the program.
 *
 * <p>Its format, a SQLite database, is documented field by field in the statements that make it: the resources {@code schema.sql},
 * {@code step_level.sql}, {@code layers.sql} and {@code layers_level.sql} of this package.
 */
package keelscope.runfile;
