/** Engine processes: where their runs are kept, how they are started, followed and ended. */
package keelscope.process;
