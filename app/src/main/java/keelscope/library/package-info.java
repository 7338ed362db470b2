/** Every run found again: what is in the runs folder and what was opened elsewhere, with its owner's notes; and runs compared. */
package keelscope.library;
