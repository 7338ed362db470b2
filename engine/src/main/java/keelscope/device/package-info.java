/**
 * Which device trains: every choice between the processor and a GPU is made here, once, before an engine process is started,
 * and handed to that process through its environment.
 */
package keelscope.device;
