/** What a trained model can be asked: to write text, how well it predicts one, and what each of its sub-layers is worth. */
package keelscope.generate;
