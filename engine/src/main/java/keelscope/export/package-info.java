/** Runs taken out of the program (CSV, TensorBoard event files) and other programs' logs taken in as run files. */
package keelscope.export;
